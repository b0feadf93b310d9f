// The three services as their packages install them.
export const services = [
  { program: 'recruiting-gateway', conf: 'gateway.conf', admin: 9080, listen: 8080, prefix: 'GATEWAY', ready: 200,
    unavailable: { redis: 'unavailable: counting locally' }, secrets: [] },
  { program: 'recruiting-auth-api', conf: 'auth-api.conf', admin: 9081, listen: 8081, prefix: 'AUTH_API', ready: 503,
    unavailable: { postgres: 'unavailable' }, secrets: ['cursor-secret', 'key-pepper'],
    // Without these settings it refuses to start, as live.
    needed: 'RECRUITING_PUBLIC_URL=https://jobs.example.com', refusal: /RECRUITING_PUBLIC_URL must be https/ },
  { program: 'recruiting-public-api', conf: 'public-api.conf', admin: 9082, listen: 8082, prefix: 'PUBLIC_API', ready: 503,
    unavailable: { postgres: 'unavailable' }, secrets: ['cursor-secret'] },
];

/** What a file, folder or process looks like: "mode owner:group". */
export const look = (machine, path) => machine.must(`stat -c '%a %U:%G' ${path}`);

export const property = (machine, unit, name) => machine.must(`systemctl show -P ${name} ${unit}`);

/** Every path of the system but what changes by itself, and every user and group. */
export async function inventory(machine) {
  const files = await machine.must(
    `find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /debs -o -path /var/cache \
     -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/lib/systemd -o -path /root \\) -prune -o -print`,
  );
  const people = await machine.must('getent passwd; getent group');
  return new Set(`${files}\n${people}`.split('\n').filter((line) => !/^\/etc\/(passwd|group|shadow|gshadow|subuid|subgid)-$/.test(line)));
}

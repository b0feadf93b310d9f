// Who may open a connection to whom, by the NetworkPolicies: a pod that policies select is closed but for what they allow,
// and a connection needs both its ends' consent.

const matches = (selector, labels) =>
  Object.entries(selector.matchLabels ?? {}).every(([label, value]) => labels[label] === value) &&
  (selector.matchExpressions ?? []).every(({ key, operator, values }) => {
    if (operator !== 'In') throw new Error(`the operator ${operator} is not understood here`);
    return values.includes(labels[key]);
  });

const namespace_label = (namespace) => ({ 'kubernetes.io/metadata.name': namespace });

/** peers: undefined means anybody. end: {labels, namespace} of a pod, or {cidr} of what is outside. */
const peer_allows = (peers, end, own_namespace) =>
  peers === undefined || peers.some((peer) => {
    if (peer.ipBlock) return end.cidr === peer.ipBlock.cidr;
    if (end.cidr !== undefined) return false;
    const there = peer.namespaceSelector ? matches(peer.namespaceSelector, namespace_label(end.namespace)) : end.namespace === own_namespace;
    return there && (!peer.podSelector || matches(peer.podSelector, end.labels));
  });

const port_allows = (ports, wanted) => ports === undefined || ports.some(({ port }) => port === wanted.number || port === wanted.name);

/** from, to: ends; wanted: {number, name} of the port. Pods outside the namespace consent to everything. */
export const may_connect = (objects, namespace, from, to, wanted) => {
  const policies = objects.filter((object) => object.kind === 'NetworkPolicy').map((object) => object.spec);
  const consents = (end, direction, peers, other) => {
    if (end.cidr !== undefined || end.namespace !== namespace) return true;
    const mine = policies.filter((policy) => policy.policyTypes.includes(direction) && matches(policy.podSelector, end.labels));
    if (mine.length === 0) return true;
    return mine.flatMap((policy) => policy[direction.toLowerCase()] ?? [])
      .some((rule) => peer_allows(rule[peers], other, namespace) && port_allows(rule.ports, wanted));
  };
  return consents(from, 'Egress', 'to', to) && consents(to, 'Ingress', 'from', from);
};

/** Every address block that a policy names. */
export const blocks_of = (objects) =>
  [...new Set(objects.filter((object) => object.kind === 'NetworkPolicy')
    .flatMap(({ spec }) => [...(spec.egress ?? []).flatMap((rule) => rule.to ?? []), ...(spec.ingress ?? []).flatMap((rule) => rule.from ?? [])])
    .flatMap((peer) => (peer.ipBlock ? [peer.ipBlock.cidr] : [])))];

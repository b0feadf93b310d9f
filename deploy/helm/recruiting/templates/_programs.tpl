{{/* What the programs are, whatever the values say: images, ports, probes and the settings that fit the other objects. */}}
{{- define "recruiting.programs" -}}
gateway:
  image: recruiting-gateway
  config: gateway.conf
  ports: {http: 8080, {{ if .Values.tls.enabled }}https: 8443, {{ end }}admin: 9080}
  # /readyz fails as soon as the gateway drains, and kube-proxy then drops what the load balancer still sends to its node.
  readiness: /healthz
  minReadySeconds: 10
  threads: RECRUITING_GATEWAY_THREADS
  scaling: {inFlight: recruiting_gateway_upstream_requests_in_flight, perPod: "256"}
  settings:
    RECRUITING_GATEWAY_LISTEN: {{ ternary "" "0.0.0.0:8080" .Values.tls.enabled | quote }}
    RECRUITING_GATEWAY_ADMIN_LISTEN: 0.0.0.0:9080
    # The Services are headless: a name stands for the addresses of all pods, which the gateway checks by itself.
    RECRUITING_GATEWAY_AUTH_API: auth-api:8081
    RECRUITING_GATEWAY_AUTH_API_HEALTH: :9081
    RECRUITING_GATEWAY_PUBLIC_API: public-api:8082
    RECRUITING_GATEWAY_PUBLIC_API_HEALTH: :9082
    # Longer than load balancers need to take a node out: their interval times their failures.
    RECRUITING_GATEWAY_DRAIN_DELAY: 20s
    RECRUITING_GATEWAY_DRAIN_TIMEOUT: 60s
    {{- if .Values.tls.enabled }}
    RECRUITING_GATEWAY_REDIRECT_LISTEN: 0.0.0.0:8080
    RECRUITING_GATEWAY_REDIRECT_PORT: "443"
    RECRUITING_GATEWAY_TLS_LISTEN: 0.0.0.0:8443
    RECRUITING_GATEWAY_TLS_CERTIFICATES: /etc/recruiting-tls/tls.crt:/etc/recruiting-tls/tls.key
    RECRUITING_GATEWAY_TLS_TICKET_KEYS_FILE: /etc/recruiting-tls/ticket-keys
    RECRUITING_GATEWAY_HSTS: "86400"
    {{- end }}
auth-api:
  image: recruiting-auth-api
  config: auth-api.conf
  ports: {http: 8081, admin: 9081}
  readiness: /readyz
  minReadySeconds: 45 # until every gateway has asked DNS again and knows the new pod
  threads: RECRUITING_AUTH_API_THREADS
  scaling: {inFlight: 'recruiting_gateway_upstream_requests_in_flight{upstream="auth-api"}', perPod: "64"}
  settings:
    RECRUITING_ENVIRONMENT: live
    RECRUITING_KEY_PEPPER_FILE: /etc/recruiting/key-pepper
    RECRUITING_CURSOR_SECRET_FILE: /etc/recruiting/cursor-secret
    RECRUITING_AUTH_API_LISTEN: 0.0.0.0:8081
    RECRUITING_AUTH_API_ADMIN_LISTEN: 0.0.0.0:9081
    # The network policy lets only the gateway's pods in, whose addresses change.
    RECRUITING_AUTH_API_TRUSTED_PROXIES: 10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
    RECRUITING_AUTH_API_WORKERS: "false"
    RECRUITING_AUTH_API_DRAIN_DELAY: 5s
    RECRUITING_AUTH_API_DRAIN_TIMEOUT: 20s
workers:
  image: recruiting-auth-api
  config: auth-api.conf
  ports: {admin: 9081}
  readiness: /readyz
  minReadySeconds: 20 # as long as a drain, so that at most one pod beside the new one still has connections
  settings:
    RECRUITING_ENVIRONMENT: live
    RECRUITING_KEY_PEPPER_FILE: /etc/recruiting/key-pepper
    RECRUITING_CURSOR_SECRET_FILE: /etc/recruiting/cursor-secret
    RECRUITING_AUTH_API_LISTEN: 127.0.0.1:8081
    RECRUITING_AUTH_API_ADMIN_LISTEN: 0.0.0.0:9081
    RECRUITING_AUTH_API_WORKERS: "true"
    # The workers run on one thread; further threads, and a console, would only add connections to PostgreSQL.
    RECRUITING_AUTH_API_THREADS: "1"
    RECRUITING_AUTH_API_CONSOLE: ""
    RECRUITING_AUTH_API_DRAIN_DELAY: 0ms
    RECRUITING_AUTH_API_DRAIN_TIMEOUT: 20s
public-api:
  image: recruiting-public-api
  config: public-api.conf
  ports: {http: 8082, admin: 9082}
  readiness: /readyz
  minReadySeconds: 45
  threads: RECRUITING_PUBLIC_API_THREADS
  scaling: {inFlight: 'recruiting_gateway_upstream_requests_in_flight{upstream="public-api"}', perPod: "64"}
  settings:
    RECRUITING_CURSOR_SECRET_FILE: /etc/recruiting/cursor-secret
    RECRUITING_PUBLIC_API_LISTEN: 0.0.0.0:8082
    RECRUITING_PUBLIC_API_ADMIN_LISTEN: 0.0.0.0:9082
    RECRUITING_PUBLIC_API_TRUSTED_PROXIES: 10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
    RECRUITING_PUBLIC_API_DRAIN_DELAY: 5s
    RECRUITING_PUBLIC_API_DRAIN_TIMEOUT: 20s
{{- end }}

{{- /* recruiting.settings (dict root name program): the data of the program's ConfigMap */}}
{{- define "recruiting.settings" -}}
  {{- $values := .root.Values }}
  {{- $settings := .program.settings }}
  {{- if and $values.publicUrl (ne .name "gateway") }}
    {{- $_ := set $settings "RECRUITING_PUBLIC_URL" $values.publicUrl }}
  {{- end }}
  {{- range list $values.settings.all (get $values.settings .name) }}
    {{- range $name, $value := . }}
      {{- $_ := set $settings $name (ternary $value (int64 $value | toString) (kindIs "string" $value)) }}
    {{- end }}
  {{- end }}
  {{- toYaml $settings }}
{{- end }}

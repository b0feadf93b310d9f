{{- /* recruiting.pod (dict root name values program [args]): the template of a pod. Those with args run recruitctl and end. */}}
{{- define "recruiting.pod" -}}
{{- $values := .values }}
{{- $name := .name }}
{{- $volumes := list }}
{{- $mounts := list }}
{{- $folders := dict "configuration" "/etc/recruiting" "tls" "/etc/recruiting-tls" }}
{{- $secrets := dict "configuration" $values.secrets }}
{{- if and .root.Values.tls.enabled (eq $name "gateway") }}{{ $_ := set $secrets "tls" .root.Values.tls.secrets }}{{ end }}
{{- range $volume, $names := $secrets }}
  {{- if $names }}
    {{- $sources := list }}
    {{- range $names }}{{ $sources = append $sources (dict "secret" (dict "name" .)) }}{{ end }}
    {{- $volumes = append $volumes (dict "name" $volume "projected" (dict "defaultMode" 0o440 "sources" $sources)) }}
    {{- /* No subPath: those are never renewed. */}}
    {{- $mounts = append $mounts (dict "name" $volume "mountPath" (get $folders $volume) "readOnly" true) }}
  {{- end }}
{{- end }}
{{- $annotations := $values.podAnnotations }}
{{- if not .args }}
  {{- $annotations = merge (dict "checksum/settings" (include "recruiting.settings" . | sha256sum)) $annotations }}
{{- end -}}
metadata:
  labels: {{ merge (dict "app.kubernetes.io/name" $name "app.kubernetes.io/part-of" "recruiting") $values.podLabels | toJson }}
  {{- with $annotations }}
  annotations: {{ toJson . }}
  {{- end }}
spec:
  serviceAccountName: {{ $name }}
  automountServiceAccountToken: false
  # Kubernetes would put RECRUITING_…_SERVICE_HOST and the like into the environment, and the programs reject settings that
  # they do not know.
  enableServiceLinks: false
  securityContext: {{ toJson $values.podSecurityContext }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toJson . }}
  {{- end }}
  {{- range $field := list "nodeSelector" "tolerations" "affinity" "priorityClassName" "initContainers" "topologySpreadConstraints" "terminationGracePeriodSeconds" }}
  {{- with get $values $field }}
  {{ $field }}: {{ toJson . }}
  {{- end }}
  {{- end }}
  {{- if .args }}
  restartPolicy: Never
  {{- else if not $values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector: {matchLabels: {app.kubernetes.io/name: {{ $name }}}}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  containers:
    - name: program
      image: {{ include "recruiting.image" (list .root .program.image) }}
      args: {{ concat (list "--config" (printf "/etc/recruiting/%s" .program.config)) (default list .args) | toJson }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      resources: {{ toJson $values.resources }}
      {{- $environment := $values.extraEnv }}
      {{- with .program.threads }}
      {{- /* A thread for each processor that the pod may use, not for each that the node has. */}}
      {{- $environment = prepend $environment (dict "name" . "valueFrom" (dict "resourceFieldRef" (dict "resource" "limits.cpu"))) }}
      {{- end }}
      {{- with $environment }}
      env: {{ toJson . }}
      {{- end }}
      {{- if not .args }}
      envFrom: {{ prepend $values.extraEnvFrom (dict "configMapRef" (dict "name" (printf "recruiting-%s" $name))) | toJson }}
      ports:
        {{- range $port, $number := .program.ports }}
        - {name: {{ $port }}, containerPort: {{ $number }}}
        {{- end }}
      startupProbe:
        httpGet: {path: /healthz, port: admin}
        periodSeconds: 1
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: admin}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: {path: {{ .program.readiness }}, port: admin}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      {{- else }}
      {{- with $values.extraEnvFrom }}
      envFrom: {{ toJson . }}
      {{- end }}
      {{- end }}
      {{- with concat $mounts $values.extraVolumeMounts }}
      volumeMounts: {{ toJson . }}
      {{- end }}
    {{- range $values.extraContainers }}
    - {{ toJson . }}
    {{- end }}
  {{- with concat $volumes $values.extraVolumes }}
  volumes: {{ toJson . }}
  {{- end }}
{{- end }}

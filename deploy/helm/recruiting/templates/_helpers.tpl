{{- /* recruiting.metadata (dict root name [labels] [annotations]) */}}
{{- define "recruiting.metadata" -}}
{{- $chart := .root.Chart }}
{{- $labels := dict "app.kubernetes.io/part-of" "recruiting" "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/version" $chart.AppVersion
  "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" (printf "%s-%s" $chart.Name $chart.Version) -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels: {{ merge $labels (default dict .labels) .root.Values.commonLabels | toJson }}
{{- with merge dict (default dict .annotations) .root.Values.commonAnnotations }}
annotations: {{ toJson . }}
{{- end }}
{{- end }}

{{- /* recruiting.image (list ROOT IMAGE): an image as the values name it. Images of others keep their tag beside the digest,
       because CloudNativePG reads PostgreSQL's version from it. */}}
{{- define "recruiting.image" -}}
  {{- $images := (index . 0).Values.images }}
  {{- $repository := regexReplaceAll ":[^:/]*$" (index . 1) "" }}
  {{- $tag := regexFind ":[^:/]*$" (index . 1) }}
  {{- $name := base $repository }}
  {{- $digest := get $images.digests $name }}
  {{- if and $images.digestsRequired (not $digest) }}
    {{- fail (printf "images.digests.%s is required: deploy/set_digests writes it" $name) }}
  {{- end }}
  {{- if not (contains "/" $repository) }}
    {{- $repository = printf "%s%s" $images.prefix $repository }}
    {{- $tag = ternary "" (printf ":%s" (default (index . 0).Chart.AppVersion $images.tag)) (not (empty $digest)) }}
  {{- end }}
  {{- default $repository (get $images.repositories $name) }}{{ $tag }}{{ with $digest }}@{{ . }}{{ end }}
{{- end }}

{{- /* recruiting.selector NAMES: the pods of these programs */}}
{{- define "recruiting.selector" -}}
  {{- if eq (len .) 1 }}
    {{- dict "matchLabels" (dict "app.kubernetes.io/name" (first .)) | toJson }}
  {{- else }}
    {{- dict "matchExpressions" (list (dict "key" "app.kubernetes.io/name" "operator" "In" "values" .)) | toJson }}
  {{- end }}
{{- end }}

{{- /* recruiting.values (dict root name): the values of a program. Its own are merged over those that stand for all pods. */}}
{{- define "recruiting.values" -}}
  {{- $all := pick .root.Values "replicaCount" "podAnnotations" "podLabels" "podSecurityContext" "nodeSelector" "tolerations" "affinity" "topologySpreadConstraints"
    "priorityClassName" "initContainers" "extraEnv" "extraEnvFrom" "extraVolumes" "extraVolumeMounts" "serviceAccount" }}
  {{- mergeOverwrite (deepCopy $all) (deepCopy (get .root.Values.programs .name)) | toJson }}
{{- end }}

{{/*
What the values change in the objects.
*/}}

{{- /* recruiting.image (list ROOT IMAGE): an image of the manifests, as the values name it. Images of others keep their tag beside
       the digest, because CloudNativePG reads PostgreSQL's version from it. */}}
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

{{- /* recruiting.secret (list HOLDER KEY ROOT): HOLDER.KEY is a Secret's name, which the values may change */}}
{{- define "recruiting.secret" }}
  {{- $holder := index . 0 }}
  {{- $key := index . 1 }}
  {{- $name := get $holder $key }}
  {{- $_ := set $holder $key (default $name (get (index . 2).Values.secretNames $name)) }}
{{- end }}

{{- /* recruiting.pod (list OBJECT ROOT) */}}
{{- define "recruiting.pod" }}
  {{- $root := index . 1 }}
  {{- $spec := (index . 0).spec.template.spec }}
  {{- range $spec.containers }}
    {{- $_ := set . "image" (include "recruiting.image" (list $root .image)) }}
  {{- end }}
  {{- with $root.Values.images.pullSecrets }}
    {{- $_ := set $spec "imagePullSecrets" . }}
  {{- end }}
  {{- range $spec.volumes }}
    {{- with .secret }}{{ $_ := include "recruiting.secret" (list . "secretName" $root) }}{{ end }}
    {{- range (default dict .projected).sources }}
      {{- $_ := include "recruiting.secret" (list .secret "name" $root) }}
    {{- end }}
  {{- end }}
{{- end }}

{{- /* recruiting.cluster (list OBJECT ROOT) */}}
{{- define "recruiting.cluster" }}
  {{- $root := index . 1 }}
  {{- $spec := (index . 0).spec }}
  {{- $_ := set $spec "imageName" (include "recruiting.image" (list $root $spec.imageName)) }}
  {{- with $root.Values.images.pullSecrets }}
    {{- $_ := set $spec "imagePullSecrets" . }}
  {{- end }}
  {{- $_ := include "recruiting.secret" (list $spec.bootstrap.initdb.secret "name" $root) }}
  {{- range $spec.managed.roles }}
    {{- $_ := include "recruiting.secret" (list .passwordSecret "name" $root) }}
  {{- end }}
{{- end }}

{{- /* A changed setting starts a rollout. */}}
{{- define "recruiting.checksum" }}
  {{- $object := index . 0 }}
  {{- $objects := index . 1 }}
  {{- $names := list }}
  {{- range $object.spec.template.spec.containers }}
    {{- range .envFrom }}{{ $names = append $names .configMapRef.name }}{{ end }}
  {{- end }}
  {{- range $object.spec.template.spec.volumes }}
    {{- with .configMap }}{{ $names = append $names .name }}{{ end }}
  {{- end }}
  {{- range $names }}
    {{- $sum := get $objects (printf "ConfigMap/%s" .) | toJson | sha256sum }}
    {{- $_ := set $object.spec.template.metadata "annotations" (dict "checksum/settings" $sum) }}
  {{- end }}
{{- end }}

{{- /* recruiting.values (list STATE ROOT) */}}
{{- define "recruiting.values" }}
  {{- $objects := (index . 0).objects }}
  {{- $root := index . 1 }}
  {{- $values := $root.Values }}

  {{- with $values.publicUrl }}
    {{- range list "auth-api" "workers" "public-api" }}
      {{- $_ := set (get $objects (printf "ConfigMap/recruiting-%s" .)).data "RECRUITING_PUBLIC_URL" $values.publicUrl }}
    {{- end }}
  {{- end }}
  {{- range $program, $settings := $values.settings }}
    {{- range $name, $value := $settings }}
      {{- $text := $value }}
      {{- if not (kindIs "string" $value) }}{{ $text = int64 $value | toString }}{{ end }}
      {{- $_ := set (get $objects (printf "ConfigMap/recruiting-%s" $program)).data $name $text }}
    {{- end }}
  {{- end }}

  {{- range $name, $to := $values.destinations }}
    {{- if $to.blocks }}
      {{- $peers := list }}
      {{- range $to.blocks }}{{ $peers = append $peers (dict "ipBlock" (dict "cidr" .)) }}{{ end }}
      {{- $ports := list }}
      {{- range $to.ports }}{{ $ports = append $ports (dict "port" .) }}{{ end }}
      {{- $_ := set (get $objects (printf "NetworkPolicy/%s" $name)).spec "egress" (list (dict "to" $peers "ports" $ports)) }}
    {{- end }}
  {{- end }}

  {{- range $name, $program := $values.programs }}
    {{- $deployment := get $objects (printf "Deployment/%s" $name) }}
    {{- $_ := include "recruiting.merge" (list (first $deployment.spec.template.spec.containers).resources $program.resources) }}
    {{- with get $objects (printf "HorizontalPodAutoscaler/%s" $name) }}
      {{- $_ := include "recruiting.merge" (list .spec (dict "minReplicas" $program.minReplicas "maxReplicas" $program.maxReplicas)) }}
    {{- end }}
    {{- with get $objects (printf "ScaledObject/%s" $name) }}
      {{- $_ := include "recruiting.merge" (list .spec (dict "minReplicaCount" $program.minReplicas "maxReplicaCount" $program.maxReplicas)) }}
    {{- end }}
  {{- end }}

  {{- $service := get $objects "Service/gateway" }}
  {{- $_ := set $service.spec "type" $values.service.type }}
  {{- with $values.service.annotations }}{{ $_ := set $service.metadata "annotations" . }}{{ end }}

  {{- $job := get $objects "Job/migrate" }}
  {{- if get $values.components "cloudnative-pg" }}
    {{- /* The database is part of the release, so the first migration follows it. */}}
    {{- $_ := set $job.metadata.annotations "helm.sh/hook" "post-install,pre-upgrade" }}
  {{- end }}
  {{- $_ := set (get $objects "ServiceAccount/recruitctl").metadata "annotations" (merge (dict "helm.sh/hook-weight" "-1") (pick $job.metadata.annotations "helm.sh/hook" "helm.sh/hook-delete-policy")) }}

  {{- range $key, $change := $values.overrides }}
    {{- if not (hasKey $objects $key) }}{{ fail (printf "overrides: the chart has no %s; it has %s" $key (keys $objects | sortAlpha | join ", ")) }}{{ end }}
    {{- $_ := include "recruiting.merge" (list (get $objects $key) $change) }}
  {{- end }}

  {{- range $objects }}
    {{- if hasKey (default dict .spec) "template" }}
      {{- $_ := include "recruiting.pod" (list . $root) }}
      {{- $_ := include "recruiting.checksum" (list . $objects) }}
    {{- else if eq .kind "Cluster" }}
      {{- $_ := include "recruiting.cluster" (list . $root) }}
    {{- end }}
    {{- $labels := dict "app.kubernetes.io/part-of" "recruiting" "app.kubernetes.io/instance" $root.Release.Name "app.kubernetes.io/version" $root.Chart.AppVersion
      "app.kubernetes.io/managed-by" $root.Release.Service "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version) }}
    {{- $_ := set .metadata "labels" (merge $labels (default dict .metadata.labels)) }}
    {{- $_ := set .metadata "namespace" $root.Release.Namespace }}
  {{- end }}
{{- end }}

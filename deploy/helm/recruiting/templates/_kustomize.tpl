{{/*
The chart reads the manifests of deploy/kubernetes and does not repeat them. These templates carry out what those manifests
use of kustomize; tests/containers/helm.test.mjs compares the results of both. STATE is {files, objects: {"Kind/name": object}}.
*/}}

{{- /* recruiting.read (list STATE FOLDER NAME): the text of a file */}}
{{- define "recruiting.read" -}}
  {{- $path := clean (printf "%s/%s" (index . 1) (index . 2)) }}
  {{- $text := (index . 0).files.Get $path }}
  {{- if not $text }}{{ fail (printf "the chart has no file %s" $path) }}{{ end }}
  {{- $text }}
{{- end }}

{{- /* recruiting.parse TEXT: one YAML document, checked */}}
{{- define "recruiting.parse" -}}
  {{- $object := fromYaml . }}
  {{- if hasKey $object "Error" }}{{ fail $object.Error }}{{ end }}
  {{- toJson $object }}
{{- end }}

{{- /* recruiting.merge (list INTO FROM): changes INTO. Maps are merged; lists of named entries are merged by name; the rest of
       FROM replaces what is in INTO. */}}
{{- define "recruiting.merge" }}
  {{- $into := index . 0 }}
  {{- range $key, $value := index . 1 }}
    {{- $old := get $into $key }}
    {{- if and (kindIs "map" $value) (kindIs "map" $old) }}
      {{- $_ := include "recruiting.merge" (list $old $value) }}
    {{- else if and (kindIs "slice" $old) (has $key (list "containers" "ports" "volumes" "volumeMounts")) }}
      {{- $_ := set $into $key (include "recruiting.merge_named" (list $old $value) | fromJsonArray) }}
    {{- else }}
      {{- $_ := set $into $key (ternary (deepCopy (default dict $value)) $value (kindIs "map" $value)) }}
    {{- end }}
  {{- end }}
{{- end }}

{{- define "recruiting.merge_named" -}}
  {{- $list := index . 0 }}
  {{- range $entry := index . 1 }}
    {{- $same := dict }}
    {{- range $list }}{{ if eq .name $entry.name }}{{ $same = . }}{{ end }}{{ end }}
    {{- if $same }}{{ $_ := include "recruiting.merge" (list $same $entry) }}{{ else }}{{ $list = append $list $entry }}{{ end }}
  {{- end }}
  {{- toJson $list }}
{{- end }}

{{- /* recruiting.settings (list STATE NAME DATA): adds to the ConfigMap of that name, which is made if there is none */}}
{{- define "recruiting.settings" }}
  {{- $state := index . 0 }}
  {{- $key := printf "ConfigMap/%s" (index . 1) }}
  {{- if not (hasKey $state.objects $key) }}
    {{- $_ := set $state.objects $key (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" (index . 1)) "data" dict) }}
  {{- end }}
  {{- $_ := include "recruiting.merge" (list (get $state.objects $key).data (index . 2)) }}
{{- end }}

{{- /* recruiting.resources (list STATE FOLDER KUSTOMIZATION) */}}
{{- define "recruiting.resources" }}
  {{- $state := index . 0 }}
  {{- $folder := index . 1 }}
  {{- $kustomization := index . 2 }}
  {{- range $kustomization.resources }}
    {{- range regexSplit "(?m)^---$" (include "recruiting.read" (list $state $folder .)) -1 }}
      {{- $object := include "recruiting.parse" . | fromJson }}
      {{- range $kustomization.labels }}
        {{- if hasKey (default dict $object.spec) "template" }}
          {{- $_ := include "recruiting.merge" (list $object.spec.template.metadata.labels .pairs) }}
        {{- end }}
      {{- end }}
      {{- $_ := set $state.objects (printf "%s/%s" $object.kind $object.metadata.name) $object }}
    {{- end }}
  {{- end }}
{{- end }}

{{- /* recruiting.generators (list STATE FOLDER KUSTOMIZATION) */}}
{{- define "recruiting.generators" }}
  {{- $state := index . 0 }}
  {{- $folder := index . 1 }}
  {{- range $generator := (index . 2).configMapGenerator }}
    {{- $lines := default list .literals }}
    {{- range .envs }}
      {{- $lines = concat $lines (splitList "\n" (include "recruiting.read" (list $state $folder .))) }}
    {{- end }}
    {{- $data := dict }}
    {{- range $lines }}
      {{- if regexMatch "^[A-Z]" . }}
        {{- $_ := set $data (regexFind "^[^=]+" .) (regexReplaceAll "^[^=]+=" . "") }}
      {{- end }}
    {{- end }}
    {{- range .files }}
      {{- $_ := set $data . (include "recruiting.read" (list $state $folder .)) }}
    {{- end }}
    {{- $_ := include "recruiting.settings" (list $state .name $data) }}
  {{- end }}
{{- end }}

{{- /* recruiting.patches (list STATE FOLDER KUSTOMIZATION) */}}
{{- define "recruiting.patches" }}
  {{- $state := index . 0 }}
  {{- $folder := index . 1 }}
  {{- range $patch := (index . 2).patches }}
    {{- $text := .patch }}
    {{- if .path }}{{ $text = include "recruiting.read" (list $state $folder .path) }}{{ end }}
    {{- range regexSplit "(?m)^---$" $text -1 }}
      {{- $change := include "recruiting.parse" . | fromJson }}
      {{- $target := default (dict "kind" $change.kind "name" $change.metadata.name) $patch.target }}
      {{- $found := false }}
      {{- range $key, $object := $state.objects }}
        {{- if and (eq .kind $target.kind) (regexMatch (printf "^(%s)$" (default ".*" $target.name)) .metadata.name) }}
          {{- $found = true }}
          {{- if eq (default "" (get $change "$patch")) "delete" }}
            {{- $_ := unset $state.objects $key }}
          {{- else }}
            {{- $_ := include "recruiting.merge" (list $object (omit $change "metadata")) }}
          {{- end }}
        {{- end }}
      {{- end }}
      {{- if not $found }}{{ fail (printf "%s: nothing to patch: %s %s" $folder $target.kind (default "" $target.name)) }}{{ end }}
    {{- end }}
  {{- end }}
{{- end }}

{{- /* recruiting.load (list STATE FOLDER): the objects of a kustomization */}}
{{- define "recruiting.load" }}
  {{- $state := index . 0 }}
  {{- $folder := index . 1 }}
  {{- $kustomization := include "recruiting.read" (list $state $folder "kustomization.yaml") | include "recruiting.parse" | fromJson }}
  {{- $all := list $state $folder $kustomization }}
  {{- $_ := include "recruiting.resources" $all }}
  {{- range $kustomization.components }}
    {{- $_ := include "recruiting.load" (list $state (clean (printf "%s/%s" $folder .))) }}
  {{- end }}
  {{- $_ := include "recruiting.generators" $all }}
  {{- $_ := include "recruiting.patches" $all }}
{{- end }}

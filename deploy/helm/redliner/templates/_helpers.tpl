{{/* SPDX-License-Identifier: Apache-2.0 */}}
{{- define "redliner.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}
{{- end }}

{{/* Of a room: root, room. */}}
{{- define "redliner.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .room }}
{{- end }}

{{- define "redliner.labels" -}}
{{ include "redliner.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with merge (dict) (default (dict) .labels) .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The metadata of a component's Service: root, room, values. room is its label, which the ServiceMonitors choose. */}}
{{- define "redliner.serviceMetadata" -}}
name: {{ include "redliner.fullname" .root }}-{{ .room }}
labels:
  {{- include "redliner.labels" (merge (dict "labels" .values.service.labels) .) | nindent 2 }}
  redliner.io/room: {{ .image }}
{{- with .values.service.annotations }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "redliner.image" -}}
{{- with .root.Values.image.registry }}{{ . | trimSuffix "/" }}/{{ end -}}
{{ .root.Values.image.repository }}/{{ .image }}
{{- with get .root.Values.image.digests .image }}@{{ . }}{{ else }}:{{ default .root.Chart.AppVersion .root.Values.image.tag }}{{ end }}
{{- end }}

{{/* The namespaces whose endpoint slices a redirector follows. */}}
{{- define "redliner.namespaces" -}}
{{- $namespaces := list }}
{{- range .Values.redirector.services }}{{ with .kubernetes }}{{ $namespaces = append $namespaces .namespace }}{{ end }}{{ end }}
{{- $namespaces | uniq | sortAlpha | toJson }}
{{- end }}

{{/*
What a room listens with: certificate, key, and the certificates that a sender's is signed by, from a Secret that is mounted in
/etc/redliner-NAME. Of name, tls.
*/}}
{{- define "redliner.tlsSettings" -}}
{{- $folder := printf "/etc/redliner-%s" .name }}
{{- dict "certificate" (printf "%s/tls.crt" $folder) "key" (printf "%s/tls.key" $folder) "trusted" (printf "%s/ca.crt" $folder) | toJson }}
{{- end }}

{{- define "redliner.tlsMount" -}}
- {name: {{ .name }}-tls, mountPath: /etc/redliner-{{ .name }}, readOnly: true}
{{- end }}

{{- define "redliner.tlsVolume" -}}
- name: {{ .name }}-tls
  secret:
    secretName: {{ .tls.existingSecret }}
    items:
      - {key: {{ .tls.certificateKey }}, path: tls.crt}
      - {key: {{ .tls.keyKey }}, path: tls.key}
      - {key: {{ .tls.trustedKey }}, path: ca.crt}
{{- end }}

{{/* What the rooms' own ports speak. Read anew when the Secret changes. */}}
{{- define "redliner.http" -}}
{{- $settings := dict }}
{{- if .Values.http.tls.existingSecret }}
{{- $keystore := dict "certificate" "file:/etc/redliner-http/tls.crt" "private-key" "file:/etc/redliner-http/tls.key" }}
{{- $_ := set $settings "server" (dict "ssl" (dict "bundle" "http")) }}
{{- $_ := set $settings "spring" (dict "ssl" (dict "bundle" (dict "pem" (dict "http" (dict "reload-on-update" true "keystore" $keystore))))) }}
{{- end }}
{{- $settings | toJson }}
{{- end }}

{{- define "redliner.scheme" -}}
{{ ternary "HTTPS" "HTTP" (not (empty .Values.http.tls.existingSecret)) }}
{{- end }}

{{/* Settings of the Kafka clients of all rooms. Passwords and keys are named, and come from the environment. */}}
{{- define "redliner.kafka" -}}
{{- $kafka := .Values.kafka }}
{{- $properties := dict }}
{{- range $name, $value := $kafka.properties }}{{ $_ := set $properties (printf "[%s]" $name) (ternary $value (toJson $value) (kindIs "string" $value)) }}{{ end }}
{{- if ne $kafka.securityProtocol "PLAINTEXT" }}
{{- $_ := set $properties "[security.protocol]" $kafka.securityProtocol }}
{{- end }}
{{- if hasPrefix "SASL" $kafka.securityProtocol }}
{{- $module := ternary "org.apache.kafka.common.security.plain.PlainLoginModule" "org.apache.kafka.common.security.scram.ScramLoginModule" (eq $kafka.sasl.mechanism "PLAIN") }}
{{- $_ := set $properties "[sasl.mechanism]" $kafka.sasl.mechanism }}
{{- $_ := set $properties "[sasl.jaas.config]" (printf "%s required username=\"${KAFKA_USERNAME}\" password=\"${KAFKA_PASSWORD}\";" $module) }}
{{- end }}
{{- if hasSuffix "SSL" $kafka.securityProtocol }}
{{- if $kafka.tls.caSecret }}
{{- $_ := set $properties "[ssl.truststore.type]" "PEM" }}
{{- $_ := set $properties "[ssl.truststore.location]" "/etc/redliner-kafka/ca.crt" }}
{{- end }}
{{- if $kafka.tls.clientSecret }}
{{- $_ := set $properties "[ssl.keystore.type]" "PEM" }}
{{- $_ := set $properties "[ssl.keystore.certificate.chain]" "${KAFKA_CLIENT_CERTIFICATE}" }}
{{- $_ := set $properties "[ssl.keystore.key]" "${KAFKA_CLIENT_KEY}" }}
{{- end }}
{{- end }}
{{- $settings := dict "bootstrap-servers" $kafka.bootstrapServers "topic-prefix" $kafka.topicPrefix }}
{{- if $properties }}{{ $_ := set $settings "properties" $properties }}{{ end }}
{{- dict "redliner" (dict "kafka" $settings) | toJson }}
{{- end }}

{{- define "redliner.kafkaEnv" -}}
{{- $kafka := .Values.kafka }}
{{- if hasPrefix "SASL" $kafka.securityProtocol }}
- name: KAFKA_USERNAME
  valueFrom: {secretKeyRef: {name: {{ $kafka.sasl.existingSecret }}, key: {{ $kafka.sasl.usernameKey }}}}
- name: KAFKA_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ $kafka.sasl.existingSecret }}, key: {{ $kafka.sasl.passwordKey }}}}
{{- end }}
{{- if and (hasSuffix "SSL" $kafka.securityProtocol) $kafka.tls.clientSecret }}
- name: KAFKA_CLIENT_CERTIFICATE
  valueFrom: {secretKeyRef: {name: {{ $kafka.tls.clientSecret }}, key: {{ $kafka.tls.certificateKey }}}}
- name: KAFKA_CLIENT_KEY
  valueFrom: {secretKeyRef: {name: {{ $kafka.tls.clientSecret }}, key: {{ $kafka.tls.keyKey }}}}
{{- end }}
{{- end }}

{{/*
What the pods of all rooms have in common: root, room (the component), image, values, port, config (YAML of the room's
settings), ports, env, mounts, volumes (YAML lists), host (a node agent), token
(mounts the service account's).
*/}}
{{- define "redliner.pod" -}}
{{- $kafka := .root.Values.kafka }}
{{- $http := dict "name" "http" "tls" .root.Values.http.tls }}
{{- $scheme := include "redliner.scheme" .root }}
{{- $kafkaCa := and (hasSuffix "SSL" $kafka.securityProtocol) $kafka.tls.caSecret }}
metadata:
  labels:
    {{- include "redliner.labels" (merge (dict "labels" .values.podLabels) .) | nindent 4 }}
    redliner.io/room: {{ .image }}
  annotations:
    checksum/settings: {{ .config | sha256sum }}
    {{- with .values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "redliner.fullname" .root }}-{{ .room }}
  automountServiceAccountToken: {{ default false .token }}
  {{- with .root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- if .host }}
  hostPID: true
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  enableServiceLinks: false
  {{- with .values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  # A controller hands its runs over, or restores the traffic; the others let Kafka go. All are done within 10 s.
  terminationGracePeriodSeconds: 30
  securityContext:
    {{- if .host }}
    runAsUser: 0
    {{- else }}
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    {{- end }}
    seccompProfile: {type: RuntimeDefault}
  {{- with .values.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- if not .host }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: {{ .root.Values.topologySpread }}
      labelSelector:
        matchLabels: {{ include "redliner.selector" . | nindent 10 }}
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{ include "redliner.selector" . | nindent 10 }}
  {{- end }}
  containers:
    - name: {{ .image }}
      image: {{ include "redliner.image" . | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
          {{- if .host }}
          add: {{ toJson .values.capabilities }}
          {{- end }}
      ports:
        - {name: http, containerPort: {{ .port }}, protocol: TCP}
        {{- with .ports }}{{ . | nindent 8 }}{{ end }}
      env:
        - {name: SERVER_PORT, value: {{ .port | quote }}}
        {{- with .values.javaOptions }}
        - {name: JAVA_TOOL_OPTIONS, value: {{ . | quote }}}
        {{- end }}
        {{- with include "redliner.kafkaEnv" .root }}{{ . | trim | nindent 8 }}{{ end }}
        {{- with .env }}{{ . | trim | nindent 8 }}{{ end }}
        {{- with .values.extraEnv }}{{ toYaml . | nindent 8 }}{{ end }}
      # What makes a pod start anew asks whether the room itself works, not whether Kafka or PostgreSQL is away. Ready is a room
      # that another one of its kind need not stay for.
      startupProbe:
        httpGet: {path: /actuator/health/liveness, port: http, scheme: {{ $scheme }}}
        periodSeconds: 1
        timeoutSeconds: 2
        failureThreshold: 120
      readinessProbe:
        httpGet: {path: /actuator/health/readiness, port: http, scheme: {{ $scheme }}}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 3
      livenessProbe:
        httpGet: {path: /actuator/health/liveness, port: http, scheme: {{ $scheme }}}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 6
      resources: {{ toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - {name: settings, mountPath: /etc/redliner, readOnly: true}
        - {name: tmp, mountPath: /tmp}
        {{- if $kafkaCa }}
        - {name: kafka-ca, mountPath: /etc/redliner-kafka, readOnly: true}
        {{- end }}
        {{- if $http.tls.existingSecret }}{{ include "redliner.tlsMount" $http | nindent 8 }}{{ end }}
        {{- with .mounts }}{{ . | trim | nindent 8 }}{{ end }}
        {{- with .values.extraVolumeMounts }}{{ toYaml . | nindent 8 }}{{ end }}
  volumes:
    - name: settings
      configMap: {name: {{ include "redliner.fullname" .root }}-{{ .room }}}
    - name: tmp
      emptyDir: {}
    {{- if $kafkaCa }}
    - name: kafka-ca
      secret:
        secretName: {{ $kafka.tls.caSecret }}
        items: [{key: {{ $kafka.tls.caKey }}, path: ca.crt}]
    {{- end }}
    {{- if $http.tls.existingSecret }}{{ include "redliner.tlsVolume" $http | nindent 4 }}{{ end }}
    {{- with .volumes }}{{ . | trim | nindent 4 }}{{ end }}
    {{- with .values.extraVolumes }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end }}

{{/* ServiceAccount, ConfigMap and Deployment of a room, and its PodDisruptionBudget: as redliner.pod. */}}
{{- define "redliner.room" -}}
{{- $name := printf "%s-%s" (include "redliner.fullname" .root) .room }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  labels: {{ include "redliner.labels" . | nindent 4 }}
  {{- with .values.serviceAccount.annotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $name }}
  labels: {{ include "redliner.labels" . | nindent 4 }}
data:
  {{ .image }}.yml: |
    {{- .config | nindent 4 }}
---
{{- if .host }}
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {{ $name }}
  labels: {{ include "redliner.labels" . | nindent 4 }}
spec:
  selector:
    matchLabels: {{ include "redliner.selector" . | nindent 6 }}
  updateStrategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 10%}
  template: {{ include "redliner.pod" . | nindent 4 }}
{{- else }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{ include "redliner.labels" . | nindent 4 }}
spec:
  replicas: {{ .values.replicas }}
  revisionHistoryLimit: 3
  selector:
    matchLabels: {{ include "redliner.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  template: {{ include "redliner.pod" . | nindent 4 }}
{{- if and .root.Values.podDisruptionBudgets (gt (int .values.replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{ include "redliner.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{ include "redliner.selector" . | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}

{{/* A room's settings: what the chart says, and over it what the values say. Of root, own (a dict), settings. */}}
{{- define "redliner.settings" -}}
{{- mustMergeOverwrite (include "redliner.kafka" .root | fromJson) (include "redliner.http" .root | fromJson) .own (deepCopy .settings) | toYaml }}
{{- end }}

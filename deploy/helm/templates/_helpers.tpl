{{- define "holdfast.name" -}}
{{- if contains "holdfast" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-holdfast" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: holdfast
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "holdfast.serviceAccount" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else if .Values.serviceAccount.create }}{{ include "holdfast.name" . }}{{ else }}default{{ end }}
{{- end }}

{{- define "holdfast.secret" -}}
{{- if .Values.store.secret.existing }}{{ .Values.store.secret.existing }}{{ else if .Values.store.secret.values }}{{ include "holdfast.name" . }}-store{{ end }}
{{- end }}

{{/* Half of what the machine's disk may give a pod (a limit as 20Gi), in MiB, 1 at least */}}
{{- define "holdfast.halfOfLimit" -}}
{{- $mib := regexFind "^[0-9]+" . | int64 -}}
{{- if hasSuffix "Ti" . }}{{ $mib = mul $mib 1048576 }}{{ else if hasSuffix "Gi" . }}{{ $mib = mul $mib 1024 }}{{ end -}}
{{- max 1 (div $mib 2) -}}
{{- end }}

{{/* A pod of a tier: dict "root" $ "tier" "index" "values" .Values.index */}}
{{- define "holdfast.pod" -}}
{{- $name := include "holdfast.name" .root -}}
metadata:
  labels:
    {{- include "holdfast.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .tier }}
  annotations:
    checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
    {{- if .root.Values.store.secret.values }}
    # They are variables, which a process reads when it starts.
    checksum/secret: {{ include (print .root.Template.BasePath "/secret.yaml") .root | sha256sum }}
    {{- end }}
    {{- with .values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "holdfast.serviceAccount" .root }}
  # The cluster's API is only spoken to by the provisioner.
  automountServiceAccountToken: {{ .root.Values.autoscaling.enabled }}
  # Variables of services would be read as settings.
  enableServiceLinks: false
  # cluster.drain_max (30 s) and 10 s: shards are given away, and what they have is uploaded.
  terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
  securityContext:
    {{- toYaml .root.Values.podSecurityContext | nindent 4 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: holdfast
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: ["start"]
      env:
        - name: HOLDFAST_CONFIG
          value: /etc/holdfast/holdfast.yml
        - name: HOLDFAST_ROLES
          value: {{ .tier }}
        - name: HOLDFAST_NODE_NAME
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        - name: HOLDFAST_NETWORK_PUBLISH_HOST
          valueFrom: {fieldRef: {fieldPath: status.podIP}}
        {{- with .values.heap }}
        - name: HOLDFAST_HEAP
          value: {{ . | quote }}
        {{- end }}
        {{- if .values.storage }}
        {{- if and (eq .values.storage.size "0") (not (hasKey (default (dict) .root.Values.settings) "cache.size")) }}
        # The node would take half of what the machine's disk has, and the pod that goes beyond its limit is evicted.
        - name: HOLDFAST_CACHE_SIZE
          value: {{ printf "%smb" (include "holdfast.halfOfLimit" .values.storage.limit) | quote }}
        {{- end }}
        {{- end }}
        {{- with .root.Values.javaOptions }}
        - name: HOLDFAST_JAVA_OPTS
          value: {{ . | quote }}
        {{- end }}
      {{- with include "holdfast.secret" .root }}
      envFrom:
        - secretRef: {name: {{ . }}}
      {{- end }}
      ports:
        - {name: http, containerPort: 9200}
      {{- if eq .tier "proxy" }}
      # Clients come through the service: for some seconds nobody may have told it yet that this pod goes.
      lifecycle:
        preStop:
          exec: {command: [sleep, "5"]}
      {{- end }}
      startupProbe:
        httpGet: {path: /_holdfast/live, port: http}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /_holdfast/live, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /_holdfast/ready, port: http}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: data, mountPath: /var/lib/holdfast}
        - {name: settings, mountPath: /etc/holdfast, readOnly: true}
        - {name: tmp, mountPath: /tmp}
  volumes:
    - name: settings
      configMap: {name: {{ $name }}}
    - name: tmp
      emptyDir: {sizeLimit: 256Mi}
    {{- if not .values.storage }}
    - name: data
      emptyDir: {sizeLimit: {{ .values.disk }}}
    {{- else if eq .values.storage.size "0" }}
    - name: data
      emptyDir: {sizeLimit: {{ .values.storage.limit }}}
    {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- if .values.topologySpreadConstraints }}
    {{- toYaml .values.topologySpreadConstraints | nindent 4 }}
    {{- else }}
    {{- $pod := . }}
    {{- range $where := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ $where }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "holdfast.selector" $pod.root | nindent 10 }}
          app.kubernetes.io/component: {{ $pod.tier }}
    {{- end }}
    {{- end }}
{{- end }}

{{/* A tier of nodes that hold something: dict "root" $ "tier" "index" "values" .Values.index */}}
{{- define "holdfast.tier" -}}
{{- $name := include "holdfast.name" .root -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}-{{ .tier }}
  labels:
    {{- include "holdfast.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .tier }}
spec:
  serviceName: {{ $name }}-nodes
  # Nodes need not wait for one another.
  podManagementPolicy: Parallel
  {{- $replicas := .values.replicas }}
  {{- if .root.Values.autoscaling.enabled }}
  {{- /* How many there are is the provisioner's to say, once there are any. */}}
  {{- with lookup "apps/v1" "StatefulSet" .root.Release.Namespace (printf "%s-%s" $name .tier) }}
  {{- $replicas = .spec.replicas }}
  {{- end }}
  {{- end }}
  replicas: {{ $replicas }}
  selector:
    matchLabels:
      {{- include "holdfast.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .tier }}
  template:
    {{- include "holdfast.pod" . | nindent 4 }}
  {{- if ne .values.storage.size "0" }}
  # Caches: they go with their pods.
  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .values.storage.className }}
        storageClassName: {{ . }}
        {{- end }}
        resources: {requests: {storage: {{ .values.storage.size }}}}
  {{- end }}
{{- end }}

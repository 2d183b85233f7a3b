package dev.holdfast.document.scan;

/// What [JsonScanner#next] found: a whole scalar, or the opening of a container.
public enum Token {
  STRING,
  NUMBER,
  TRUE,
  FALSE,
  NULL,
  OBJECT,
  ARRAY
}

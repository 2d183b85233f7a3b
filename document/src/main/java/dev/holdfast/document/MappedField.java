package dev.holdfast.document;

/// A field of a mapping.
///
/// @param path full path, multi-fields included: `user.name.raw`
public record MappedField(String path, FieldType type) {}

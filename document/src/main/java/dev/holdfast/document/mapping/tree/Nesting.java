package dev.holdfast.document.mapping.tree;

/// What makes an object `nested`: its values are documents of their own.
///
/// @param includeInParent whether the document that holds it gets its values too
/// @param includeInRoot whether the outermost document gets its values too
public record Nesting(boolean includeInParent, boolean includeInRoot) {}

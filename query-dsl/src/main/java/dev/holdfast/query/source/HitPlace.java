package dev.holdfast.query.source;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/// A hit whose inner hits are being fetched.
///
/// @param doc of the document or nested object
/// @param root of the document itself
/// @param path of the nested object; null for a document
/// @param source of the whole document; null when it has none
/// @param stored what its fields with `store` are read from; null when there is nothing
/// @param nested where the nested object is, as `_nested` shows it; null for a document
public record HitPlace(
    int doc,
    int root,
    @Nullable String path,
    @Nullable String id,
    @Nullable JsonNode source,
    @Nullable JsonNode stored,
    @Nullable JsonNode nested) {}

package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;

/// What an `enrich` processor asks the index of its policy.
///
/// @param value of the document
/// @param matchesMax how many answers there may be
/// @param relation of shapes: `INTERSECTS`, …
public record EnrichQuestion(String policy, JsonNode value, int matchesMax, String relation) {}

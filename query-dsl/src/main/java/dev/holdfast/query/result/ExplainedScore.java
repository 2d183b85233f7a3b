package dev.holdfast.query.result;

import com.fasterxml.jackson.databind.JsonNode;

/// How a hit got its score, and where that was found out.
///
/// @param shard number of the shard
/// @param node id of the node; empty when unknown
/// @param explanation in Elasticsearch's shape
public record ExplainedScore(int shard, String node, JsonNode explanation) {}

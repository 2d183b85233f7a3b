package dev.holdfast.api.ingest;

import dev.holdfast.api.ingest.place.StoredIpDatabases;
import dev.holdfast.document.ingest.file.FileParser;

/// What processors ask besides the document.
///
/// @param enrich of indices of policies
/// @param databases of addresses
/// @param files the parser of files
public record IngestSources(EnrichLookups enrich, StoredIpDatabases databases, FileParser files) {}

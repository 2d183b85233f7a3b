package dev.holdfast.query.aggregation;

import dev.holdfast.document.MappingFactory;
import org.apache.lucene.store.DataInput;

/// Bytes of partial results from another node.
///
/// @param mappings makes the field types again that say how values are shown
public record PartialInput(DataInput data, MappingFactory mappings) {}

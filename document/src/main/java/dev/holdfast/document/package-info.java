/// Documents (§2.1): the interfaces between those who write and search documents and those who know
/// what fields are. [Mapping] is what an index says of its fields, [FieldType] what a kind of field
/// does, [BatchBuilder] what turns documents into Lucene columns. The other packages of this room
/// are behind them: `mapping.StandardMappings` makes mappings, and nobody above names a field type.
///
/// Mappings and field types are immutable: any thread may ask them. A batch builder is of one
/// thread, and is used again after `clear`. A document is scanned once, from its bytes straight
/// into columns; it has no tree, no map and no strings on its way. What may fail: a document, with
/// a `Refusal` that leaves the rows before it as they were; a mapping, when it is read or merged.
@NullMarked
package dev.holdfast.document;

import org.jspecify.annotations.NullMarked;

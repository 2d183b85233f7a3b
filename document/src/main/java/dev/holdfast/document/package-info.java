/// Documents (§2.1): mappings and dynamic mapping, one file a field type, analysis, the scanner
/// that reads JSON straight into Lucene columns, routing.
@NullMarked
package dev.holdfast.document;

import org.jspecify.annotations.NullMarked;

/// Dates as Elasticsearch reads and writes them: formats, date math, and rounding to calendar and
/// fixed intervals. Values of documents are read from bytes without an allocation.
@NullMarked
package dev.holdfast.document.date;

import org.jspecify.annotations.NullMarked;

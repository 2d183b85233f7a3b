/// Values of fields gathered in primitive arrays, and the Lucene columns over them.
@NullMarked
package dev.holdfast.document.column;

import org.jspecify.annotations.NullMarked;

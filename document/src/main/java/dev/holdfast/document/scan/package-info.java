/// The JSON scanner of the ingest path: UTF-8 bytes to values without trees, maps or strings.
@NullMarked
package dev.holdfast.document.scan;

import org.jspecify.annotations.NullMarked;

/// The JSON scanner of the ingest path: UTF-8 bytes to values without trees, maps or strings. Hot
/// code: uses its buffers again, for one thread. Malformed bytes are refused with their place.
@NullMarked
package dev.holdfast.document.scan;

import org.jspecify.annotations.NullMarked;

/// `/_data_stream`: data streams made, shown and deleted; their own settings, mappings, options and
/// lifecycles; indices taken in and given up.
@NullMarked
package dev.holdfast.api.indices.stream;

import org.jspecify.annotations.NullMarked;

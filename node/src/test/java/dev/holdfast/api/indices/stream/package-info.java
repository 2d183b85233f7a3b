/// Data streams as clients see them.
@NullMarked
package dev.holdfast.api.indices.stream;

import org.jspecify.annotations.NullMarked;

/// APIs that show and extend the mappings of indices.
@NullMarked
package dev.holdfast.api.indices.mapping;

import org.jspecify.annotations.NullMarked;

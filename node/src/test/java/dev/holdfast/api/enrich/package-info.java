/// Enrich policies as clients see them.
@NullMarked
package dev.holdfast.api.enrich;

import org.jspecify.annotations.NullMarked;

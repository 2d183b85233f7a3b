/// What a peer calls otherwise: requests in its own words.
@NullMarked
package dev.holdfast.oracle.dialect;

import org.jspecify.annotations.NullMarked;

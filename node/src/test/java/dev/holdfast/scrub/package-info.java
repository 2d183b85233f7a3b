/// Tests of the scrub.
@NullMarked
package dev.holdfast.scrub;

import org.jspecify.annotations.NullMarked;

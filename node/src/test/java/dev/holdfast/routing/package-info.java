/// Tests of routing between tiers of several nodes in one process.
@NullMarked
package dev.holdfast.routing;

import org.jspecify.annotations.NullMarked;

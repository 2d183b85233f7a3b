/// Tests of snapshot policies.
@NullMarked
package dev.holdfast.api.slm;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.compoundcommit.call;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.telemetry;

import org.jspecify.annotations.NullMarked;

/// Tests of settings.
@NullMarked
package dev.holdfast.settings;

import org.jspecify.annotations.NullMarked;

/// Tests of the settings.
@NullMarked
package dev.holdfast.node.settings;

import org.jspecify.annotations.NullMarked;

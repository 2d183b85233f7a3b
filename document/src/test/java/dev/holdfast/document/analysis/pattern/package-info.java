@NullMarked
package dev.holdfast.document.analysis.pattern;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.holdfast.compoundcommit.notice;

import org.jspecify.annotations.NullMarked;

/// Processors that set, move and change fields, one file each; [Processors] lists all kinds, one
/// line each.
@NullMarked
package dev.holdfast.document.ingest.processor;

import org.jspecify.annotations.NullMarked;

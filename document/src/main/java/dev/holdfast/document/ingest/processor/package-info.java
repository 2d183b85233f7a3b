/// Processors, one file each; [dev.holdfast.document.ingest.processor.Processors] lists them.
@NullMarked
package dev.holdfast.document.ingest.processor;

import org.jspecify.annotations.NullMarked;

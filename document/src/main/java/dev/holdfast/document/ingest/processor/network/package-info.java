/// Processors that read addresses, domains and clients of networks. Pure functions of their
/// documents, called from any thread; a value that they cannot read refuses its document.
@NullMarked
package dev.holdfast.document.ingest.processor.network;

import org.jspecify.annotations.NullMarked;

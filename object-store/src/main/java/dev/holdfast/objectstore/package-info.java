/// Where all data lives (§3.1): one narrow interface over a local folder, Amazon S3, Google Cloud
/// Storage, Azure Blob Storage and memory, decorators that retry, count and break it, and one
/// conformance suite that each of them passes.
@NullMarked
package dev.holdfast.objectstore;

import org.jspecify.annotations.NullMarked;

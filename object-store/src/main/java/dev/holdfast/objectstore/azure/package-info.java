/// A store in a container of Azure Blob Storage: conditional writes by ETag, parts as blocks.
/// `AzureFailures` sorts every error into what a caller does next.
@NullMarked
package dev.holdfast.objectstore.azure;

import org.jspecify.annotations.NullMarked;

/// Downsampling: an index of time series with coarser times, made of another that is written to no
/// more. Called by requests and by lifecycles; what fails leaves no index behind.
@NullMarked
package dev.holdfast.api.indices.downsample;

import org.jspecify.annotations.NullMarked;

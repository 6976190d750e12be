// SPDX-License-Identifier: Apache-2.0
/** Histograms come in as HdrHistogram has them. Only buckets that hold something are kept. The contract's message goes out. */
@NullMarked
package io.redliner.contract.histogram;

import org.jspecify.annotations.NullMarked;

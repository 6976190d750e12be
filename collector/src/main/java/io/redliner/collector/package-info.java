// SPDX-License-Identifier: Apache-2.0
/** The collector: measures what users got from each instance, and sends it as observations. */
@NullMarked
package io.redliner.collector;

import org.jspecify.annotations.NullMarked;

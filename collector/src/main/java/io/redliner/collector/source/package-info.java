// SPDX-License-Identifier: Apache-2.0
/** What all sources of measurements have in common; each of them is a package beside this one. */
@NullMarked
package io.redliner.collector.source;

import org.jspecify.annotations.NullMarked;

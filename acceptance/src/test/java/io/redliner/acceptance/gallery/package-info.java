// SPDX-License-Identifier: Apache-2.0
/** Small real servers, each with one wall that is known by construction, and whether a run names it. */
@NullMarked
package io.redliner.acceptance.gallery;

import org.jspecify.annotations.NullMarked;

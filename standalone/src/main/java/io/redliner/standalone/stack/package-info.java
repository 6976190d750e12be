// SPDX-License-Identifier: Apache-2.0
/** All components of RedLiner and the parts they stand on, in one process. */
@NullMarked
package io.redliner.standalone.stack;

import org.jspecify.annotations.NullMarked;

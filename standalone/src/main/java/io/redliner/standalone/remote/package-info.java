// SPDX-License-Identifier: Apache-2.0
/** A controller that runs somewhere else, over its REST API. */
@NullMarked
package io.redliner.standalone.remote;

import org.jspecify.annotations.NullMarked;

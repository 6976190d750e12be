// SPDX-License-Identifier: Apache-2.0
/** What driving runs needs from outside, as interfaces, and the values that cross them. Adapters implement them. */
@NullMarked
package io.redliner.controller.core.port;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.eventloop;

import org.jspecify.annotations.NullMarked;

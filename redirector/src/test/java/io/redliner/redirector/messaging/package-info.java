// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.messaging;

import org.jspecify.annotations.NullMarked;

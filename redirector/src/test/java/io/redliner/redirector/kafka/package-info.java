// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.redirector.kafka;

import org.jspecify.annotations.NullMarked;

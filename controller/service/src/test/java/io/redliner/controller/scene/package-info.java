// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.redliner.controller.scene;

import org.jspecify.annotations.NullMarked;

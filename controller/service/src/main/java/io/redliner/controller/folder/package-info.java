// SPDX-License-Identifier: Apache-2.0
/** Plans and calendars from a watched folder, for GitOps: all of it is taken, or nothing. */
@NullMarked
package io.redliner.controller.folder;

import org.jspecify.annotations.NullMarked;

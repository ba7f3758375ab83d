/* How Upright replaces a photo and its sidecar, as a model for Spin; tools/check/replacement runs it.
 *
 * A run of normalize or undo is a process that makes one system call at a time. It may be killed between two calls, and
 * the power may fail. Other runs and another program may work on the same files. Each comment in angle brackets names
 * the code that is modelled and the calls that it makes, in this order; the check compares them with the sources.
 *
 * The file system: a name refers to an inode. Rename, exchange, link and unlink are atomic. What is not synced may be
 * lost in a power failure: all content of a file, and any selection of the changes of the directory (`ordered`: only the
 * last ones). For this purpose there are two directories: `seen` is what processes see, and `disk` is what a power
 * failure leaves. Each change is made in `seen`, and in `disk` or not; syncing the directory makes them equal.
 *
 * The configuration comes from the environment, so that one compiled model serves all of them.
 */

c_decl {
\#include <stdlib.h>
\#define option(name) (getenv(name) ? atoi(getenv(name)) : 0)
}

/* Contents of files. */
#define NONE 0
#define P0 1   /* the photo before normalize */
#define P1 2   /* after it */
#define S0 3   /* the sidecar before normalize */
#define S1 4   /* after it */
#define S2 5   /* the sidecar whose regions were transformed twice */
#define EDIT 6 /* the photo that another program saved */
#define PAIR 7 /* the pair file of P1, S0 and S1; that of S1 and S2 is not modelled */
#define TORN 8
#define P2 9   /* the photo that was rotated twice */
#define UNDOPAIR(c) (6 + (c)) /* that of P0, c, which is S1 or S2, and S0 */
#define EMPTY 12 /* the file that reserves the name of the pair file */

/* Names in the directory. */
#define PHOTO 0
#define SIDECAR 1
#define PAIRFILE 2
#define BACKUP(k) (3 + (k))
#define FIRSTTEMP 5
#define TEMP(k) (5 + 3 * s + (k))
#define RESERVING(s) (11 + (s)) /* the finished pair file of a run, while its name is reserved */
#define NAMES 13

/* Files that a run has open: k is PHOTO or SIDECAR. */
#define OLD(k) (s * 5 + (k))
#define NEW(k) (s * 5 + 2 + (k))
#define OPEN 10

#define INODES 16

byte seen[NAMES], disk[NAMES];
/* The change that a power failure would lose, if changes reach the disk in their order. */
bit lost;
byte content[INODES], version[INODES], references[INODES], lock[INODES];
bit unsynced[INODES];
byte open[OPEN];

/* The record file: whether its name exists, and its lines. */
bit hasRecord, hasRecordOnDisk;
byte lines, linesOnDisk;
#define PHOTOLINE 1
#define SIDECARLINE 2
#define SECONDLINE 4

/* The lines of the journal: P0 or P1 was finished, or P1 will replace the photo. */
byte journal, journalOnDisk;
#define BEGUN 4

/* The configuration. */
byte kinds[2], rounds, kills, cuts, fault;
bit two, records, backups, sidecars, exchanges, ordered, journals, regions, firstRecord;
/* Whether a run rotates, so that it would rotate P1 again. */
bit rotates;
/* Names cannot be given exclusively; files have no second names; a file has a number of its own under each name.
 * With `outputs`, a run only creates a file, in the place of the pair file. */
bit reserves, overwrites, unnumbered, outputs;
byte editor, strict;
#define NORMALIZE 1
#define UNDO 2

/* The runs. */
bit running[2], dead[2], isMixed;
byte report[2];
/* The process that may make a system call: the number of a run. */
#define EDITOR 2
#define NOBODY 3
byte turn = NOBODY;
#define DONE 1
#define SKIPPED 2
#define FAILED 3
#define EARLIER 4

/* The other program: it has the photo open for writing; a run has a lease of it. */
byte writer, leased;
bit isBroken, isDelayed, isEditing, isEdited;

/* Variables that have no value between two steps. */
hidden byte former, first, second, position;

/* The deliberate mistakes, by which `fault` is chosen, are defined by the check. */

/* Statements that are executed if a condition holds. */
#define when(condition, ...) if :: condition -> __VA_ARGS__ :: else fi
/* The end of a system call, and the next one: any process may go on between them, be killed, or lose its power. Everything up
 * to the next call is one transition. */
#define call(...) step(); printf(__VA_ARGS__)
/* What reaches the disk before the power fails, or does not. */
#define mayReach(statement) if :: cuts > 0 :: statement fi

/* --- The file system --- */

inline release(inode) {
  when(inode != 0,
    references[inode]--;
    when(references[inode] == 0, content[inode] = NONE; version[inode] = 0; lock[inode] = 0; unsynced[inode] = 0)
  )
}

/* Gives a name to an inode, which is a variable that does not change meanwhile, in `seen` or `disk`. */
#define placeIn(directory, name, inode) \
  references[inode] = references[inode] + (inode != 0); \
  former = directory[name]; \
  directory[name] = inode; \
  release(former)

inline place(name, inode) { placeIn(seen, name, inode) }

/* Lets the last changes of two names reach the disk, or lets a power failure lose them. */
inline reach(one, other) {
  if
  :: cuts > 0 -> lost = ordered
  :: !lost ->
    d_step {
      first = seen[one];
      second = seen[other];
      references[first] = references[first] + (first != 0);
      references[second] = references[second] + (second != 0);
      placeIn(disk, one, first);
      placeIn(disk, other, second);
      release(first);
      release(second);
      first = 0; second = 0; former = 0
    }
  fi;
  verify()
}

inline touch(inode) { version[inode] = version[inode] + (two && inode != 0) }

/* The status of a named file is that of the version that was read. */
#define isCurrent(k) (unnumbered -> content[seen[k]] == had[k] : seen[k] == open[OLD(k)] && version[seen[k]] == was[k])

inline rename(old, new) {
  d_step {
    first = seen[old];
    second = 0;
    touch(first);
    place(new, first);
    place(old, second);
    first = 0; former = 0
  }
  reach(new, old)
}

inline unlink(name) {
  d_step { second = 0; place(name, second); former = 0 }
  reach(name, name)
}

inline link(old, new) {
  d_step { first = seen[old]; touch(first); place(new, first); first = 0; former = 0 }
  reach(new, new)
}

inline exchange(one, other) {
  d_step {
    former = seen[one];
    seen[one] = seen[other];
    seen[other] = former;
    touch(seen[one]);
    touch(seen[other]);
    former = 0
  }
  reach(one, other)
}

/* Lets `position` be that of an inode without a name. */
inline findFree() {
  position = 1;
  do
  :: references[position] != 0 -> position++
  :: else -> break
  od;
  assert(position < INODES)
}

/* Creates a file that a run has open as `handle`; its content is in memory only. */
inline create(name, handle, bytes, owner) {
  d_step {
    findFree();
    content[position] = bytes;
    unsynced[position] = 1;
    lock[position] = owner;
    place(name, position);
    first = open[handle];
    open[handle] = position;
    references[position]++;
    release(first);
    position = 0; former = 0; first = 0
  }
  reach(name, name)
}

inline close(handle) {
  d_step {
    first = open[handle];
    open[handle] = 0;
    when(lock[first] == s + 1, lock[first] = 0);
    release(first);
    first = 0
  }
}

inline syncDirectory() {
  d_step {
    for (position : 0 .. NAMES - 1) {
      first = seen[position]; placeIn(disk, position, first)
    };
    lost = 0;
    position = 0; former = 0; first = 0
  }
}

/* --- What must hold at any time, for processes and after a power failure --- */

#define must(text, condition) if :: condition :: else -> printf(text); assert(false) fi

#define WHOLE "violated: each name is that of the old or of the new file\n"
#define ONCE "violated: no photo is rotated twice\n"
#define RESTORABLE "violated: the record or the backup restores each replaced file\n"
#define KEPT "violated: what another program saved has a name\n"
#define DURABLE "violated: what a run reports as done is on the disk\n"
#define REPEATABLE "violated: a further run ends as an undisturbed one\n"
#define PAIRED "violated: photo and sidecar are both done, or the next run reports it\n"
#define CLEAN "violated: a further run removes what killed runs left\n"

#define onDisk(name) (unsynced[disk[name]] -> TORN : content[disk[name]])

#define isPhoto(c) (c == P0 || c == P1 || c == P2 || c == EDIT)
#define isSidecar(c) (!sidecars || c == S0 || c == S1 || c == S2)
#define isPair(c) (c == NONE || c == PAIR || (reserves && c == EMPTY) || c == UNDOPAIR(S1) || c == UNDOPAIR(S2))
/* Whether a file that was replaced has its line in a record that exists, or its backup. */
#define isRestorable(exists, written, line, backup, old) \
  (records -> exists && (written & line) : backup == old || isEdited)

inline verify() {
  d_step {
    former = content[seen[PHOTO]];
    first = content[seen[SIDECAR]];
    second = content[seen[PAIRFILE]];
    must(WHOLE, isPhoto(former) && isSidecar(first) && isPair(second));
    must(ONCE, former != P2);
    must(RESTORABLE, former != P1 || isRestorable(hasRecord, lines, PHOTOLINE, content[seen[BACKUP(PHOTO)]], P0));
    must(RESTORABLE, first != S1 || isRestorable(hasRecord, lines, SIDECARLINE, content[seen[BACKUP(SIDECAR)]], S0));
    must(RESTORABLE, first != S2 || isRestorable(hasRecord, lines, SECONDLINE, NONE, S0));
    position = 0;
    do
    :: position < NAMES && content[seen[position]] != EDIT -> position++
    :: else -> break
    od;
    must(KEPT, !isEdited || position < NAMES);
    when(cuts > 0,
      former = onDisk(PHOTO);
      first = onDisk(SIDECAR);
      second = onDisk(PAIRFILE);
      must(WHOLE, isPhoto(former) && isSidecar(first) && isPair(second));
      must(RESTORABLE, former != P1 || isRestorable(hasRecordOnDisk, linesOnDisk, PHOTOLINE, onDisk(BACKUP(PHOTO)), P0));
      must(RESTORABLE, first != S1 || isRestorable(hasRecordOnDisk, linesOnDisk, SIDECARLINE, onDisk(BACKUP(SIDECAR)), S0));
      must(RESTORABLE, first != S2 || isRestorable(hasRecordOnDisk, linesOnDisk, SECONDLINE, NONE, S0))
    );
    former = 0; first = 0; second = 0; position = 0
  }
}

/* --- Replacing a file --- */

inline step() { turn = NOBODY; turn == s }

/* <Sources/FileSystem/AtomicReplacement.swift check: refusesLinks( < presentBackup>
 * <Sources/FileSystem/AtomicReplacement.swift refusesLinks: hasOwnBackup>
 * <Sources/FileSystem/AtomicReplacement.swift put: Syscalls.open < isSameVersion < hasContent < prepare>
 * <Sources/FileSystem/AtomicReplacement.swift prepare: TemporaryFile( < Syscalls.write < give( < Syscalls.sync>
 * <Sources/FileSystem/TemporaryFile.swift create: Syscalls.open < hold>
 * <Sources/FileSystem/TemporaryFile.swift hold: Syscalls.lock>
 */
inline begin(k) {
  error = 0;
  when(keeps,
    call("run %d: look at the backup of #%d\n", s + 1, k);
    error = fault != BACKUP_OVERWRITTEN && seen[BACKUP(k)] != 0 && seen[BACKUP(k)] != open[OLD(k)]
  );
  error = error || links[k] > 1 && !(keeps && links[k] == 2 && seen[BACKUP(k)] == open[OLD(k)]);
  when(!error,
    call("run %d: check that the name #%d is that of the file that was read\n", s + 1, k);
    error = !isCurrent(k)
  );
  when(!error,
    call("run %d: write the new file #%d under a temporary name\n", s + 1, k);
    create(TEMP(k), NEW(k), next[k], (fault == TEMPORARY_NOT_LOCKED -> 0 : s + 1));
    when(fault != CONTENT_NOT_SYNCED && fault != SYNCED_AFTER_RENAME, syncContent(k))
  )
}

inline syncContent(k) {
  call("run %d: sync the new file #%d\n", s + 1, k);
  unsynced[open[NEW(k)]] = 0
}

inline sync() {
  call("run %d: sync the directory\n", s + 1);
  syncDirectory()
}

/* Removes the old file, or restores its name if it is another file or was changed.
 *
 * <Sources/FileSystem/TemporaryFile+Naming.swift letGo: isUntouched < Syscalls.unlink < Syscalls.rename>
 * <Sources/FileSystem/FormerFile.swift isUntouched: Syscalls.status < hasSameContent < isShown < Syscalls.open < forgetCached < isHeld>
 * <Sources/FileSystem/TemporaryFile+Naming.swift isUntouched: Syscalls.takeLease < isUnchanged() < Syscalls.holdsLease>
 */
inline letGo(k, name) {
  when(editor == 2 && fault != NO_LEASE,
    call("run %d: take a lease of the old file #%d\n", s + 1, k);
    if
    :: writer == open[OLD(k)] -> isBusy = 1
    :: else -> leased = open[OLD(k)]; isBroken = 0
    fi
  );
  call("run %d: check that the old file #%d was not changed\n", s + 1, k);
  isBusy = isBusy || (unnumbered -> content[seen[name]] != had[k] || fault == NUMBERS_COMPARED
    : seen[name] != open[OLD(k)] || content[open[OLD(k)]] != had[k]);
  when(leased,
    call("run %d: check that no program waits for the lease of #%d\n", s + 1, k);
    isBusy = isBusy || isBroken
  );
  if
  :: !isBusy || fault == NO_CHECK_AFTER_EXCHANGE ->
    call("run %d: unlink the old file #%d\n", s + 1, k);
    unlink(name)
  :: else ->
    call("run %d: restore the name #%d\n", s + 1, k);
    error = 1;
    when(seen[name] != 0, rename(name, k))
  fi;
  isBusy = 0;
  leased = 0;
  isBroken = 0
}

/* Restores the old file, as a copy, if it was changed; it has no name any more.
 *
 * <Sources/FileSystem/FormerFile.swift isUntouched: Syscalls.status < hasSameContent < isShown>
 * <Sources/FileSystem/AtomicReplacement.swift putBack: Syscalls.read < prepare < copy.overwrite>
 */
inline putBack(k) {
  when(editor == 2,
    call("run %d: take a lease of the old file #%d\n", s + 1, k);
    if
    :: writer == open[OLD(k)] -> isBusy = 1
    :: else -> leased = open[OLD(k)]; isBroken = 0
    fi
  );
  call("run %d: check that the old file #%d was not changed\n", s + 1, k);
  isBusy = isBusy || content[open[OLD(k)]] != had[k];
  when(leased,
    call("run %d: check that no program waits for the lease of #%d\n", s + 1, k);
    isBusy = isBusy || isBroken
  );
  if
  :: isBusy ->
    error = 1;
    call("run %d: write a copy of the old file #%d\n", s + 1, k);
    create(TEMP(k), NEW(k), content[open[OLD(k)]], s + 1);
    syncContent(k);
    call("run %d: rename the copy to #%d\n", s + 1, k);
    when(seen[TEMP(k)] != 0, rename(TEMP(k), k))
  :: else
  fi;
  isBusy = 0;
  leased = 0;
  isBroken = 0
}

/* <Sources/FileSystem/AtomicReplacement.swift put: prepare < differing < keep < file.replace < putBack < dropBackup>
 * <Sources/FileSystem/AtomicReplacement.swift differing: Syscalls.status < isSameVersion < Syscalls.open < hasContent>
 * <Sources/FileSystem/AtomicReplacement+Backup.swift keep: Syscalls.link < Syscalls.status>
 * <Sources/FileSystem/TemporaryFile+Naming.swift replace: Syscalls.lock < Syscalls.exchange < replaceWithoutExchange < letGo < hasSameContent>
 * <Sources/FileSystem/TemporaryFile+Naming.swift replaceWithoutExchange: Syscalls.link < Syscalls.rename < isUntouched < afterLosing < SecondName( < Syscalls.rename < letGo < original.isUntouched>
 * <Sources/FileSystem/AtomicReplacement.swift replace: check < put < directory.sync>
 */
inline finish(k) {
  call("run %d: check again that the name #%d is that of the file that was read\n", s + 1, k);
  error = !isCurrent(k);
  when(!error && keeps && fault != BACKUP_AFTER_EXCHANGE,
    call("run %d: link the backup of #%d\n", s + 1, k);
    if
    :: seen[k] == 0 -> error = 1
    :: seen[k] != 0 && seen[BACKUP(k)] == 0 -> isNewBackup = 1; link(k, BACKUP(k))
    :: seen[k] != 0 && seen[BACKUP(k)] != 0 && fault == BACKUP_OVERWRITTEN -> link(k, BACKUP(k))
    :: else -> error = seen[BACKUP(k)] != open[OLD(k)]
    fi
  );
  if
  :: error
  :: !error && fault == UNLINKED_BEFORE_RENAME ->
    call("run %d: unlink #%d\n", s + 1, k);
    unlink(k);
    call("run %d: rename the new file to #%d\n", s + 1, k);
    rename(TEMP(k), k)
  :: !error && fault == WRITTEN_IN_PLACE ->
    call("run %d: write into the file #%d\n", s + 1, k);
    content[seen[k]] = next[k];
    unsynced[seen[k]] = 1;
    verify();
    step();
    unsynced[seen[k]] = 0
  :: !error && fault == RENAMED_OVER ->
    call("run %d: rename the new file to #%d\n", s + 1, k);
    rename(TEMP(k), k)
  :: else ->
    if
    :: exchanges ->
      call("run %d: exchange the old and the new file #%d\n", s + 1, k);
      lockOld(k);
      if
      :: seen[TEMP(k)] == 0 || seen[k] == 0 -> error = 1
      :: else -> exchange(k, TEMP(k)); letGo(k, TEMP(k))
      fi
    :: !exchanges && overwrites ->
      call("run %d: rename the new file to #%d\n", s + 1, k);
      if
      :: seen[TEMP(k)] == 0 -> error = 1
      :: else -> rename(TEMP(k), k); putBack(k)
      fi
    :: else ->
      call("run %d: link a second name of the old file #%d\n", s + 1, k);
      lockOld(k);
      if
      :: seen[k] == 0 -> error = 1
      :: else ->
        link(k, TEMP(2));
        call("run %d: rename the new file to #%d\n", s + 1, k);
        if
        :: seen[TEMP(k)] == 0 -> error = 1; step(); unlink(TEMP(2))
        :: else -> rename(TEMP(k), k); letGo(k, TEMP(2))
        fi
      fi
    fi
  fi;
  if
  :: !error && fault == SYNCED_AFTER_RENAME -> syncContent(k)
  :: !error && keeps && fault == BACKUP_AFTER_EXCHANGE ->
    call("run %d: link the backup of #%d\n", s + 1, k);
    first = open[OLD(k)];
    place(BACKUP(k), first);
    reach(BACKUP(k), BACKUP(k))
  :: else
  fi;
  when(!error && fault != DIRECTORY_NOT_SYNCED, sync())
}

inline lockOld(k) {
  when(lock[open[OLD(k)]] == 0, lock[open[OLD(k)]] = s + 1)
}

/* <Sources/FileSystem/AtomicReplacement+Backup.swift dropBackup: Syscalls.status < TemporaryFile.remove>
 * <Sources/FileSystem/TemporaryFile.swift remove: Syscalls.status < Syscalls.unlink>
 */
inline cleanUp(k) {
  when(error && isNewBackup,
    call("run %d: check whether #%d is still the old file\n", s + 1, k);
    when(seen[k] == open[OLD(k)],
      call("run %d: unlink the backup of #%d\n", s + 1, k);
      when(seen[BACKUP(k)] == open[OLD(k)], unlink(BACKUP(k)))
    )
  );
  isNewBackup = 0;
  when(seen[TEMP(k)] != 0 && seen[TEMP(k)] == open[NEW(k)],
    call("run %d: unlink the new file #%d\n", s + 1, k);
    when(seen[TEMP(k)] == open[NEW(k)], unlink(TEMP(k)))
  );
  close(NEW(k))
}

/* --- The record, the journal and the pair file --- */

/* <Sources/Records/RecordLog.swift append: file.append>
 * <Sources/FileSystem/AppendedFile.swift append: Syscalls.write < Syscalls.sync < checkName>
 */
inline append(line) {
  call("run %d: append a line to the record\n", s + 1);
  lines = lines | line;
  mayReach(linesOnDisk = linesOnDisk | line);
  when(fault != RECORD_NOT_SYNCED,
    call("run %d: sync the record\n", s + 1);
    linesOnDisk = lines
  )
}

/* <Sources/PhotoFiles/Run/Journal.swift append: FileIdentity( < append(> */
inline appendToJournal() {
  call("run %d: append a line to the journal\n", s + 1);
  journal = journal | content[seen[PHOTO]];
  mayReach(journalOnDisk = journal)
}

/* <Sources/PhotoFiles/Run/Journal.swift announce: append(>
 * <Sources/PhotoFiles/Run/Journal.swift append: file.append>
 */
inline announce() {
  call("run %d: append to the journal what will replace the photo\n", s + 1);
  journal = journal | BEGUN;
  mayReach(journalOnDisk = journal);
  when(fault != ANNOUNCEMENT_NOT_SYNCED,
    call("run %d: sync the journal\n", s + 1);
    journalOnDisk = journal
  )
}

/* <Sources/PhotoFiles/Sidecars/PairFile.swift remove: Syscalls.unlink> */
inline removePair() {
  call("run %d: unlink the pair file\n", s + 1);
  when(seen[PAIRFILE] != 0, unlink(PAIRFILE))
}

/* <Sources/PhotoFiles/Sidecars/PairFile.swift write: remove < AtomicCreation>
 * <Sources/FileSystem/AtomicCreation.swift create: target < holds < put < directory.sync>
 * <Sources/FileSystem/AtomicCreation.swift put: prepare < file.take>
 * <Sources/FileSystem/AtomicCreation.swift prepare: TemporaryFile( < Syscalls.write < Syscalls.sync>
 * <Sources/FileSystem/TemporaryFile+Naming.swift take: Syscalls.renameExclusively < Syscalls.link < reserve>
 */
/* Takes the name of the pair file with an empty file, over which the finished one is renamed.
 *
 * <Sources/FileSystem/TemporaryFile+Reservation.swift reserve: Syscalls.rename < directory.sync < Syscalls.open < Syscalls.status < Syscalls.rename < removeEmpty>
 */
inline reserve() {
  call("run %d: rename the pair file to the name of a finished one\n", s + 1);
  if
  :: seen[TEMP(2)] == 0 -> error = 1
  :: else -> rename(TEMP(2), RESERVING(s))
  fi;
  when(!error && fault != RESERVATION_NOT_SYNCED, sync());
  when(!error,
    call("run %d: reserve the name of the pair file\n", s + 1);
    if
    :: seen[PAIRFILE] != 0 -> error = 1
    :: else ->
      d_step {
        findFree();
        content[position] = EMPTY;
        place(PAIRFILE, position);
        position = 0; former = 0
      }
      reach(PAIRFILE, PAIRFILE);
      call("run %d: rename the pair file\n", s + 1);
      if
      :: seen[RESERVING(s)] == 0 || content[seen[PAIRFILE]] != EMPTY -> error = 1
      :: else -> rename(RESERVING(s), PAIRFILE)
      fi;
      when(error && content[seen[PAIRFILE]] == EMPTY,
        call("run %d: unlink the reservation\n", s + 1);
        when(content[seen[PAIRFILE]] == EMPTY, unlink(PAIRFILE))
      )
    fi
  );
  when(seen[RESERVING(s)] != 0 && seen[RESERVING(s)] == open[NEW(2)],
    call("run %d: unlink the finished file\n", s + 1);
    when(seen[RESERVING(s)] != 0, unlink(RESERVING(s)))
  )
}

inline writePair(remainder) {
  removePair();
  createPair(remainder)
}

inline createPair(remainder) {
  call("run %d: check that there is no pair file\n", s + 1);
  if
  :: seen[PAIRFILE] == 0 ->
    call("run %d: write the pair file under a temporary name\n", s + 1);
    create(TEMP(2), NEW(2), remainder, s + 1);
    syncContent(2);
    if
    :: reserves -> reserve()
    :: else ->
      call("run %d: rename the pair file\n", s + 1);
      if
      :: seen[PAIRFILE] != 0 -> error = 1; step(); unlink(TEMP(2))
      :: else -> rename(TEMP(2), PAIRFILE)
      fi
    fi;
    when(!error && fault != PAIR_NOT_SYNCED, sync());
    close(NEW(2))
  :: else /* Another run has written the same content. */
  fi
}

/* <Sources/PhotoFiles/Sidecars/PairFile.swift state: content.before == Digest < content.photo ==> */
#define isPending \
  (content[seen[PAIRFILE]] == PAIR && had[SIDECAR] == S0 && content[seen[PHOTO]] == P1 || \
  content[seen[PAIRFILE]] == UNDOPAIR(had[SIDECAR]) && content[seen[PHOTO]] == P0)

/* --- A run --- */

/* <Sources/FileSystem/FileReader.swift readAll: read( < Syscalls.status < isSameVersion < read(> */
inline read(k) {
  call("run %d: read #%d\n", s + 1, k);
  d_step {
    first = open[OLD(k)];
    open[OLD(k)] = seen[k];
    references[seen[k]] = references[seen[k]] + (seen[k] != 0);
    release(first);
    had[k] = content[seen[k]];
    was[k] = version[seen[k]];
    links[k] = 0;
    for (position : 0 .. NAMES - 1) {
      links[k] = links[k] + (seen[position] != 0 && seen[position] == seen[k])
    };
    position = 0; first = 0
  }
}

#define removesAbandoned(name) \
  fault != ABANDONED_KEPT && seen[name] != 0 && lock[seen[name]] == 0 -> \
  printf("run %d: unlink an abandoned file\n", s + 1); \
  unlink(name); \
  step()

/* <Sources/FileSystem/TemporaryFile.swift removeAbandoned: openAbandoned < Syscalls.lock < Syscalls.status < removeReservation < Syscalls.unlink>
 * <Sources/FileSystem/TemporaryFile+Reservation.swift removeReservation: isReserving < Syscalls.list < removeEmpty < Syscalls.sync>
 */
#define removesReservation(name) \
  fault != ABANDONED_KEPT && seen[name] != 0 && lock[seen[name]] == 0 -> \
  when(content[seen[PAIRFILE]] == EMPTY && fault != RESERVATION_KEPT, \
    printf("run %d: unlink an abandoned reservation\n", s + 1); \
    unlink(PAIRFILE); \
    step() \
  ); \
  when(fault != REMOVAL_NOT_SYNCED, \
    printf("run %d: sync the directory\n", s + 1); \
    syncDirectory(); \
    step() \
  ); \
  when(seen[name] != 0, \
    printf("run %d: unlink an abandoned file\n", s + 1); \
    unlink(name); \
    step() \
  )

proctype Run(byte s; bit isUndo) {
  byte was[2], had[2], links[2], next[2];
  bit error, isBusy, isNewBackup, keeps, isReplaced, photoFailed, takesPhoto, takesSidecar, completes, wasBegun;
  byte known;
  { atomic {
    turn == s;
    keeps = backups && !isUndo;
    /* <Sources/FileSystem/AppendedFile.swift init: Self.open < isNew < isEmpty < sync> */
    when(records && !isUndo && lines == 0,
      printf("run %d: open the record, or create it\n", s + 1);
      hasRecord = 1;
      mayReach(hasRecordOnDisk = 1);
      when(fault != RECORD_NAME_NOT_SYNCED,
        call("run %d: sync the directory of the record\n", s + 1);
        hasRecordOnDisk = 1
      )
    );

    do
    :: removesAbandoned(5)
    :: removesAbandoned(6)
    :: removesAbandoned(7)
    :: removesAbandoned(8)
    :: removesAbandoned(9)
    :: removesAbandoned(10)
    :: removesReservation(RESERVING(0))
    :: removesReservation(RESERVING(1))
    :: else -> break
    od;

    when(outputs,
      step();
      if
      :: seen[PAIRFILE] == 0 -> createPair(PAIR)
      :: else -> error = content[seen[PAIRFILE]] != PAIR
      fi;
      report[s] = (error -> FAILED : DONE);
      goto finished
    );

    /* What the record (undo) or the journal (normalize) contains at the beginning. */
    known = (isUndo -> (hasRecord -> lines : 0) : (journals -> journal : 0));
    read(PHOTO);

    /* <Sources/Commands/Batch/BatchRun.swift print: journal?.finding < announcing < result(of: < note(>
     * <Sources/PhotoFiles/Run/Journal.swift finding: entry(>
     * Of a photo that a run was to replace, and has, only the sidecars are completed.
     */
    when(!isUndo && had[PHOTO] <= P1 && (known & had[PHOTO]), report[s] = EARLIER; goto finished);
    wasBegun = !isUndo && had[PHOTO] == P1 && (known & BEGUN) != 0;

    /* <Sources/PhotoFiles/Work/FileRewrite.swift processed: plan( < group( < planner.plan < write( < rewrite(>
     * <Sources/PhotoFiles/Work/FileRewrite.swift group: PhotoGroup( < completePairs>
     * <Sources/PhotoFiles/Group/PhotoGroup.swift completePairs: PairFile( < complete( < SidecarFile.find(>
     * <Sources/PhotoFiles/Sidecars/PairFile.swift complete: state < replacement.replace < remove>
     */
    when(sidecars,
      read(SIDECAR);
      step();
      if
      :: isPending ->
        next[SIDECAR] = (had[SIDECAR] == S0 -> S1 : S0);
        takesSidecar = 1;
        completes = 1;
        goto replace
      :: !isPending && seen[PAIRFILE] != 0 -> removePair()
      :: else
      fi
    );
plan:
    when(isUndo, goto undo);
    when(had[PHOTO] != P0 && (!rotates || had[PHOTO] != P1 || wasBegun), goto attend);

    /* <Sources/PhotoFiles/Work/FileRewrite+Writing.swift rewrite: reader.readAll < group( < planner.plan < write(>
     * <Sources/PhotoFiles/Work/FileRewrite+Writing.swift write: execution.write < keep( < announce?(>
     * <Sources/PhotoFiles/Work/FileRewrite+Writing.swift keep: log.append>
     * <Sources/PhotoFiles/Apply/FileExecution.swift write: before() < replace( < replaceCompanions(>
     */
    next[PHOTO] = (had[PHOTO] == P0 -> P1 : P2);
    takesPhoto = 1;
    takesSidecar = sidecars && (had[SIDECAR] == S0 || (regions && had[SIDECAR] == S1));
    next[SIDECAR] = (had[SIDECAR] == S0 -> S1 : S2);
    when(fault == JOURNAL_BEFORE_REPLACEMENT, appendToJournal());
    when(records && fault != RECORD_AFTER_REPLACEMENT, append(PHOTOLINE));
    when(rotates && journals && fault != NOT_ANNOUNCED, announce());
    /* <Sources/PhotoFiles/Apply/FileExecution.swift replace: replacement.replace < keep( < PairReplacement(>
     * <Sources/PhotoFiles/Apply/FileExecution.swift keep: log.append>
     * <Sources/PhotoFiles/Sidecars/PairReplacement.swift replace: pair.write < replaceAll( < remove>
     */
    when(takesSidecar,
      when(records && fault != SIDECAR_WITHOUT_RECORD, append((next[SIDECAR] == S1 -> SIDECARLINE : SECONDLINE)));
      when(next[SIDECAR] == S1 && fault != NO_PAIR, writePair(PAIR));
      when(error, goto failed)
    );

replace:
    /* <Sources/PhotoFiles/Sidecars/PairReplacement.swift replaceAll: replacement.replace < holdsFile < replacement.replace < holdsFile> */
    when(takesSidecar,
      begin(SIDECAR);
      when(error, cleanUp(SIDECAR); goto failed)
    );
    when(takesPhoto,
      begin(PHOTO);
      when(!error, finish(PHOTO));
      cleanUp(PHOTO);
      photoFailed = error;
      if
      :: photoFailed && takesSidecar -> step(); isReplaced = content[seen[PHOTO]] == next[PHOTO]
      :: else -> isReplaced = !photoFailed
      fi;
      if
      :: !isReplaced && takesSidecar -> cleanUp(SIDECAR); goto failed
      :: !isReplaced && !takesSidecar -> goto failed
      :: else
      fi
    );
    if
    :: fault == JOURNAL_BEFORE_SIDECAR -> appendToJournal()
    :: fault == PAIR_REMOVED_BEFORE_SIDECAR && takesSidecar -> removePair()
    :: else
    fi;
    when(takesSidecar,
      finish(SIDECAR);
      cleanUp(SIDECAR);
      when(error && takesPhoto, step(); error = content[seen[SIDECAR]] != next[SIDECAR]);
      when(error, report[s] = FAILED; goto finished)
    );
    when(fault == RECORD_AFTER_REPLACEMENT, append(PHOTOLINE));
    when(takesSidecar && (takesPhoto || completes), removePair());
    if
    :: completes -> completes = 0; takesSidecar = 0; read(SIDECAR); goto plan
    :: photoFailed -> report[s] = FAILED; goto finished
    :: else
    fi;
    report[s] = DONE;
    /* What is reported as done is on the disk. */
    if
    :: cuts == 0 || editor || isMixed || (two && !strict)
    :: else ->
      must(DURABLE, !takesPhoto || onDisk(PHOTO) == next[PHOTO]);
      must(DURABLE, !takesSidecar || onDisk(SIDECAR) == next[SIDECAR])
    fi;
    goto note;

attend:
    /* <Sources/PhotoFiles/Plan/FilePlanner.swift kept: reset( < Reason(pending: < Reason(conflictOf:> */
    report[s] = (sidecars && had[SIDECAR] == S0 -> SKIPPED : DONE);
    goto note;

undo:
    /* <Sources/PhotoFiles/Undo/FileRestoration.swift restored: readAll( < completePairs( < undone( < sidecars( < plan( < put(>
     * <Sources/PhotoFiles/Undo/FileRestoration.swift completePairs: PairFile( < complete(>
     * <Sources/PhotoFiles/Undo/FileRestoration.swift put: execution.write>
     * <Sources/PhotoFiles/Undo/FileRestoration+Sidecar.swift sidecars: undone(>
     * <Sources/PhotoFiles/Apply/FileExecution.swift replaceCompanions: replacement.replace>
     */
    if
    :: (had[PHOTO] == P1 || (had[PHOTO] == EDIT && fault == UNDO_WITHOUT_HASH)) && (known & PHOTOLINE) ->
      takesPhoto = 1;
      next[PHOTO] = P0
    :: had[PHOTO] == P0
    :: else -> report[s] = SKIPPED; goto finished
    fi;
    when(sidecars && (known & SIDECARLINE),
      read(SIDECAR);
      if
      :: had[SIDECAR] == S1 || (had[SIDECAR] == S2 && (known & SECONDLINE)) -> takesSidecar = 1; next[SIDECAR] = S0
      :: had[SIDECAR] == S2 && !(known & SECONDLINE) && takesPhoto -> report[s] = SKIPPED; goto finished
      :: else
      fi
    );
    when(takesPhoto && takesSidecar && fault != NO_PAIR,
      writePair(UNDOPAIR(had[SIDECAR]));
      when(error, goto failed)
    );
    if
    :: takesPhoto || takesSidecar -> goto replace
    :: else -> report[s] = DONE; goto finished
    fi;

failed:
    report[s] = FAILED;
    when(takesPhoto && takesSidecar, removePair());
    goto finished;

note:
    /* <Sources/Commands/Batch/BatchRun.swift note: journal?.note>
     * The line of a photo without its sidecar is as none for a normalization, which would not change the photo again.
     */
    when(journals && !isUndo && report[s] == DONE, appendToJournal());
finished:
    call("run %d: end\n", s + 1);
    close(OLD(PHOTO));
    close(OLD(SIDECAR));
    running[s] = 0;
    turn = NOBODY
  } } unless { dead[s] }
}

/* Another program that saves the photo: under a temporary name (1), or into the file (2). */
proctype Editor() {
  atomic {
    turn == EDITOR;
    if
    :: editor == 1 ->
      printf("another program saves the photo under its name\n");
      d_step {
        findFree();
        content[position] = EDIT;
        place(PHOTO, position);
        position = 0; former = 0;
        isEdited = 1
      };
      reach(PHOTO, PHOTO)
    :: else ->
      printf("another program opens the photo for writing\n");
      writer = seen[PHOTO];
      references[writer]++;
      isBroken = leased == writer;
      /* The system delays the program until the lease is released. */
      isDelayed = isBroken;
      turn = NOBODY;
      turn == EDITOR;
      printf("another program writes into the photo\n");
      content[writer] = EDIT;
      version[writer]++;
      isEdited = 1;
      verify();
      turn = NOBODY;
      turn == EDITOR;
      printf("another program closes the photo\n");
      d_step { first = writer; writer = 0; release(first); first = 0 }
    fi;
    isEditing = 0;
    turn = NOBODY
  }
}

/* --- The world --- */

inline stop(s) {
  dead[s] = dead[s] || running[s];
  running[s] = 0;
  for (position : 0 .. INODES - 1) {
    when(lock[position] == s + 1, lock[position] = 0)
  };
  for (position : 0 .. 5 - 1) {
    first = open[s * 5 + position]; open[s * 5 + position] = 0; release(first)
  };
  position = 0; first = 0;
  leased = 0
}

inline cutPower() {
  d_step {
    stop(0);
    stop(1);
    for (position : 0 .. NAMES - 1) {
      first = disk[position]; place(position, first)
    };
    for (position : 1 .. INODES - 1) {
      when(unsynced[position], content[position] = TORN; unsynced[position] = 0)
    };
    position = 0; former = 0; first = 0;
    lost = 0;
    hasRecord = hasRecordOnDisk;
    lines = (hasRecord -> linesOnDisk : 0);
    linesOnDisk = lines;
    journal = journalOnDisk
  }
}

/* Lets one process after another make a system call until all have ended; runs are killed and the power fails. */
inline schedule() {
  do
  :: atomic { turn == NOBODY && running[0] -> turn = 0 }
  :: atomic { turn == NOBODY && running[1] -> turn = 1 }
  :: atomic { turn == NOBODY && isEditing && !(isDelayed && leased) -> turn = EDITOR }
  :: atomic { turn == NOBODY && kills > 0 && running[0] -> printf("run 1 is killed\n"); d_step { kills--; stop(0) } }
  :: atomic { turn == NOBODY && kills > 0 && running[1] -> printf("run 2 is killed\n"); d_step { kills--; stop(1) } }
  :: atomic {
      turn == NOBODY && cuts > 0 && (running[0] || running[1]) ->
      printf("the power fails\n");
      cutPower();
      cuts--;
      verify()
    }
  :: atomic { turn == NOBODY && !running[0] && !running[1] && !isEditing && _nr_pr == 1 -> dead[0] = 0; dead[1] = 0; break }
  od
}

init {
  byte round;
  bit last;
  atomic {
    c_code {
      now.kinds[0] = option("kinds"); now.kinds[1] = option("second"); now.rounds = option("rounds");
      now.kills = option("kills"); now.cuts = option("cuts"); now.fault = option("fault"); now.two = now.kinds[1] != 0;
      now.records = option("records"); now.backups = option("backups"); now.sidecars = option("sidecars");
      now.exchanges = option("exchanges"); now.ordered = option("ordered"); now.journals = option("journals");
      now.regions = option("regions"); now.firstRecord = option("first_record");
      now.rotates = option("rotates");
      now.reserves = option("reserves"); now.overwrites = option("overwrites"); now.unnumbered = option("unnumbered");
      now.outputs = option("outputs");
      now.editor = option("editor"); now.strict = option("strict");
    };
    isMixed = two && (kinds[0] | kinds[1]) & UNDO;
    content[1] = P0; references[1] = 2; seen[PHOTO] = 1; disk[PHOTO] = 1;
    when(sidecars, content[2] = S0; references[2] = 2; seen[SIDECAR] = 2; disk[SIDECAR] = 2);
    hasRecord = records && !firstRecord;
    hasRecordOnDisk = hasRecord
  }
  do
  :: round < rounds ->
    atomic {
      round++;
      if
      :: kinds[0] & NORMALIZE -> printf("run 1 begins: normalize\n"); running[0] = 1; run Run(0, 0)
      :: kinds[0] & UNDO -> printf("run 1 begins: undo\n"); running[0] = 1; run Run(0, 1)
      fi;
      if
      :: kinds[1] & NORMALIZE -> printf("run 2 begins: normalize\n"); running[1] = 1; run Run(1, 0)
      :: kinds[1] & UNDO -> printf("run 2 begins: undo\n"); running[1] = 1; run Run(1, 1)
      :: kinds[1] == 0
      fi;
      when(editor && round == 1, isEditing = 1; run Editor())
    }
    schedule()
  :: else -> break
  od;

  /* An undisturbed run ends as if nothing had happened. */
  atomic {
    kills = 0;
    cuts = 0;
    syncDirectory();
    d_step { hasRecordOnDisk = hasRecord; linesOnDisk = lines; journalOnDisk = journal; report[0] = 0; report[1] = 0 };
    running[0] = 1;
    if
    :: printf("run 1 begins, undisturbed: normalize\n"); run Run(0, 0)
    :: records -> printf("run 1 begins, undisturbed: undo\n"); last = 1; run Run(0, 1)
    fi
  }
  schedule();
  printf("all has ended\n");
  d_step {
    former = content[seen[PHOTO]];
    first = content[seen[SIDECAR]];
    must(REPEATABLE, former == (isEdited -> EDIT : (last || outputs -> P0 : P1)));
    must(REPEATABLE, !outputs || content[seen[PAIRFILE]] == PAIR || content[seen[PAIRFILE]] == EMPTY);
    must(PAIRED, isEdited || !sidecars || first == (last -> S0 : S1) || (!last && !strict && report[0] == SKIPPED));
    position = FIRSTTEMP;
    do
    :: position < NAMES -> must(CLEAN, seen[position] == 0); position++
    :: else -> break
    od;
    must(CLEAN, strict < 2 || seen[PAIRFILE] == 0);
    must(CLEAN, content[seen[PAIRFILE]] != EMPTY);
    former = 0; first = 0; position = 0
  }
}

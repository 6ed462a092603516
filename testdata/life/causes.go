package life

// A cause is what can be wrong with a controller. The guide lists all of them.
type cause struct {
	// id names the cause, what says what was broken, and look where to look.
	id, what, look string
}

// The causes.
var (
	nothingDone  = cause{"nothing-done", "this step did nothing", "The life knows too little of the kind: see its fields"}
	unused       = cause{"unused", "nothing in this life is called so", "Remove it, or name it as the life does: a step, the path of a field, a key of the secret"}
	panicked     = cause{"panic", "the controller panics", "Check for nil where it happens"}
	refused      = cause{"refused", "the API server refuses what the provider writes", "Observe, Create or the resolver sets an invalid value"}
	vanished     = cause{"vanished", "the managed resource is gone", "An error of Delete or Observe is taken for absence"}
	strangers    = cause{"stranger", "somebody else's external resource was changed", "Observe matches more than the external name"}
	nameUnset    = cause{"name-unset", "the external resource exists, and the managed resource has no external name", "Create must call meta.SetExternalName"}
	createsAgain = cause{"creates-again", "Create is called again and again",
		"Observe doesn't find what Create made, such as on another page, or Create doesn't set the external name"}
	notOne       = cause{"not-one", "there isn't one external resource", "Create is called although it exists, or its name was lost"}
	updatesAgain = cause{"updates-again", "Update is called again and again",
		"An error of Update says why; without one, Observe compares it wrongly, or Update doesn't send it"}
	keepsWriting = cause{"keeps-writing", "the managed resource changes at each look",
		"Observe writes spec, reports late initialization each time, or sets a status that changes without need"}
	notHealthy  = cause{"not-healthy", "a condition isn't True at rest", "The message is the error. A state in it has no meaning in conditions, or is another one in the test. Without a message, Observe doesn't set Ready"}
	readyEarly  = cause{"ready-early", "Ready is True while the API still creates the external resource", "Observe doesn't read the state, or takes it for another one, as in conditions"}
	readyFailed = cause{"ready-failed", "Ready doesn't tell that the external resource isn't ready any more", "Observe takes the state for another one, or leaves Ready as it was"}
	readyGone   = cause{"ready-gone", "Ready is True although the external resource is gone", "Observe sets no condition if it finds nothing"}
	syncedGone  = cause{"synced-gone", "Synced is True although an observed external resource is gone", "Observe must report that it doesn't exist"}
	statusNone  = cause{"status-empty", "status.atProvider is empty although the external resource exists", "A write after Observe resets the status: keep it, as the finalizer of internal/setup does"}
	statusUnset = cause{"status-unset", "the status lacks what the API shows", "Observe doesn't set the field, or changes a map or list later that the status has"}
	partMissing = cause{"part-missing", "after something went wrong the status lacks for ever what it has otherwise",
		"What Create does in a second call, Observe must miss and Update make"}
	statusOld   = cause{"status-old", "the status isn't what the API shows", "Observe takes another field, or an older answer"}
	unseen      = cause{"unseen", "spec and status differ, and Synced is True", "Observe doesn't compare the field, or its order"}
	specChanged = cause{"spec-changed", "spec.forProvider isn't what the user wrote", "Late initialization fills only unset fields, and no entries of maps that are set"}
	notFilled   = cause{"not-filled", "late initialization forgets the field",
		"Observe doesn't fill it, or reports ResourceLateInitialized only sometimes"}
	filledUnsaved = cause{"filled-unsaved", "spec.forProvider is filled in memory and not saved",
		"Fill it only if the policies have LateInitialize, and report ResourceLateInitialized"}
	filledForbidden = cause{"filled-forbidden", "spec.forProvider is filled although the policies forbid it", "Check the policies before late initialization"}
	secretKey       = cause{"secret-key", "the connection secret lacks a declared key", "Observe or Create must return it, and Observe no empty value for what Create alone knows"}
	secretExtra     = cause{"secret-extra", "the connection secret has a key that isn't declared",
		"Create and Observe must return the same keys: remove it, or declare it with +mrgen:connectionDetail"}
	secretTurns     = cause{"secret-turns", "the connection secret has another order each time", "Sort what the API shows in any order before it's published"}
	secretShown     = cause{"secret-shown", "it has the value of a secret", "Status, annotations, events and errors are no place for secrets"}
	secretChanged   = cause{"secret-changed", "a generated value is replaced by another one", "An error of reading the connection secret isn't its absence: return it"}
	secretOld       = cause{"secret-old", "the connection secret isn't what the API has", "Observe must return connection details, and Create send what it publishes"}
	secretLost      = cause{"secret-lost", "a key of the connection secret is lost in silence", "Observe returns connection details also while something differs. It must notice that what only Create generates is gone"}
	updatesNew      = cause{"updates-new", "Update is called for what was just created", "Create doesn't send all, or Observe compares it wrongly"}
	updatesVain     = cause{"updates-vain", "an update is sent that changes nothing in the API", "Update sends what doesn't differ, or Observe compares it wrongly"}
	needsRetry      = cause{"needs-retry", "a look fails although nothing is broken", "Wait for the states in which the API refuses the call: report it as up to date"}
	otherKind       = cause{"other-kind", "it isn't for this kind", "It was copied: put in the type and the GroupVersionKind of this one"}
	otherNamespace  = cause{"other-namespace", "an object is read in a namespace that nobody names", "Take the namespace of the managed resource, or of the reference"}
	initialSent     = cause{"initial-sent", "an update resets what only initProvider has", "Update sends spec.forProvider alone: CreateParameters are for Create"}
	stateKept       = cause{"state-kept", "the external resource isn't deleted in this state, and nobody is told", "Delete what isn't being deleted in any state, or return an error"}
	configUntracked = cause{"config-untracked", "no ProviderConfigUsage names the ProviderConfig in use", "Connect must track it, or it can be deleted too early"}
	restarted       = cause{"restarted", "another process changes a managed resource at rest", "Something is kept in memory alone"}
	otherName       = cause{"other-name", "the external resource hasn't the external name that the user set", "Create must send meta.GetExternalName, not metadata.name"}
	notCompared     = cause{"not-compared", "the API doesn't get the edit, and Update isn't called", "Observe doesn't compare the field"}
	createLacks     = cause{"create-lacks", "the API doesn't get it", "Create doesn't send the field: it sends CreateParameters, which have initProvider"}
	notSent         = cause{"not-sent", "Update is called, and the API doesn't get the edit", "Update doesn't send the field"}
	alsoSent        = cause{"also-sent", "it changes in the API, and nobody asked for that", "Update sends what spec doesn't have, or leaves out what the API has"}
	sentOther       = cause{"sent-other", "the API gets another value", "The conversion of the field is wrong"}
	sentTwice       = cause{"sent-twice", "one edit needs several updates", "Update sends a part, or Observe compares an older answer"}
	entriesStay     = cause{"entries-stay", "the API keeps entries that the user removed", "Update only adds"}
	entriesLost     = cause{"entries-lost", "entries that Create had set are lost", "Update replaces the map without them"}
	immutableSent   = cause{"immutable-sent", "a field that can't be changed is sent with another value",
		"Update must send what Observe saw, kept outside the status, which the reconciler resets. It leaves out what only creation takes"}
	immutableSilent = cause{"immutable-silent", "a field that can't be changed differs, and Synced doesn't name it",
		"Observe must compare it, and Update return an error with the field"}
	driftStays      = cause{"drift-stays", "a change by somebody else isn't reverted", "Observe doesn't compare the field"}
	orderSent       = cause{"order", "another order of a set is an update", "Compare it without order"}
	zoneSent        = cause{"time-zone", "another time zone of the same time is an update", "Compare times, not texts"}
	removedSent     = cause{"removed-sent", "a later update sends a value for a field that isn't set", "Update must leave it out. If updates replace all, LateInitialize fills a copy of spec with what Observe saw"}
	notRecreated    = cause{"not-recreated", "what was deleted outside isn't created again once", "Observe must report that it doesn't exist"}
	forbidden       = cause{"forbidden", "something is called that the policies forbid", "Observe, or the connector, writes"}
	absentUpdated   = cause{"absent-updated", "Update is called although the external resource is gone", "Observe takes absence for existence, or doesn't report it as up to date if it may not be created"}
	notDeleted      = cause{"not-deleted", "the managed resource is never deleted", "The message is what keeps its finalizer"}
	leftBehind      = cause{"left-behind", "the external resource is left behind", "Delete isn't called, or its error is swallowed"}
	notKept         = cause{"not-kept", "the external resource is deleted although the policies keep it", "Delete is called elsewhere than in Delete"}
	deletedTwice    = cause{"deleted-twice", "Delete is sent again while the API deletes", "Check the state before Delete, and take this one for Deleting, as in conditions"}
	deleteGone      = cause{"delete-gone", "Delete returns an error if there is nothing to delete", "Ignore that it isn't found"}
	busySent        = cause{"busy", "a busy external resource is updated", "Report it as up to date in this state, and take it for Creating, as in conditions"}
	deletingGone    = cause{"deleting-gone", "the managed resource is gone while the API still deletes", "That state is taken for absence"}
	needsHand       = cause{"needs-hand", "a stopped creation needs a hand although the user chose the name", "Set managed.WithDeterministicExternalName(true)"}
	swallowed       = cause{"swallowed", "an error of the API isn't reported", "It is swallowed: return it"}
	errorAbsent     = cause{"error-absent", "an error of Get is taken for absence", "Return errors other than not found"}
	lostName        = cause{"lost-name", "the external resource whose creation wasn't answered isn't found", "Look for it, or leave FindsLost unset"}
	nameChanged     = cause{"name-changed", "the external name changes, and nothing is created", "Create or Observe overwrites it"}
	importCreates   = cause{"import-creates", "an import creates another external resource", "Observe must find it by its external name alone"}
	importWrites    = cause{"import-writes", "an import is changed although nothing differs", "Observe compares it wrongly"}
	referenceLost   = cause{"reference-lost", "the user's reference is changed although its target is missing", "The resolver saves an empty answer"}
	referenceSilent = cause{"reference-silent", "a required reference has no target, and Synced is True", "The resolver must return an error"}
	notResolved     = cause{"not-resolved", "a reference whose target exists isn't resolved", "The resolver isn't called, or its answer isn't saved"}
	resolvedOther   = cause{"resolved-other", "a reference is resolved to another resource than its target", "The resolver must look for the name, labels and namespace of the reference"}
	inputSilent     = cause{"input-silent", "a secret that would be sent is missing, and nobody is told", "Return the error of reading it"}
	inputNotSent    = cause{"input-not-sent", "the API doesn't get the value of a secret", "Create or Update doesn't send it: a later Update must, too"}
	inputNeeded     = cause{"input-needed", "a secret is needed that nothing would send", "Read it in Create and Update, or if the policies have Update"}
	rotatedUnsent   = cause{"rotated", "the new value of a secret isn't sent", "Observe must notice another version of the secret"}
	configSilent    = cause{"config-silent", "the ProviderConfig or its secret is gone, and Synced is True", "Connect must return the error"}
	oldCredentials  = cause{"credentials", "the client isn't made with the credentials of the ProviderConfig",
		"Connect must read the secret, key and namespace that it names, at each look"}
	notIdentifier = cause{"not-identifier", "initProvider alone may have it, although it tells where the external resource is",
		"Mark it +mrgen:identifier, since Observe and Delete have only spec.forProvider"}
	optionMissing = cause{"missing-option", "an option of the reconciler is missing", "Take what the manager and controller.Options have"}
	twoOwners     = cause{"two-owners", "two managed resources have one external resource, and both are Synced", "Write and read whose it is, such as in tags"}
	otherTaken    = cause{"other-taken", "an external resource elsewhere that has the same name is taken for this one",
		"Observe looks for the name alone"}
	otherDeleted = cause{"other-deleted", "deleting a managed resource deletes another one's external resource", "Check whose it is before Delete"}
)

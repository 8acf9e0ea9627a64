-- paraproof: verdict = proven
-- paraproof: rules = 23
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 VALUE_NUM=1 600
-- paraproof: states NODE_NUM=2 64592
-- paraproof: states NODE_NUM=3 VALUE_NUM=1 11746

-- A directory MSI protocol over FIFO channels.
--
-- What the directory sends to a cache arrives in order, so that caches need fewer
-- transient states than in directory_msi.m: an invalidation that comes before the data is
-- about an earlier copy, because one about the new copy comes after it; and whoever awaits
-- the answer to an eviction (MI, or II if the line went meanwhile) knows that no request
-- for the line is behind it. Requests have a channel of their own, since the answers that
-- the directory waits for must not queue up behind them. A cache has at most one request
-- and one answer under way, so that each of these channels has room for one message.
--
-- A channel from the directory is a queue that is shifted. It has room for two messages,
-- and an assertion says that this is enough for any number of caches: the directory has at
-- most one more message for a cache that has not yet read the data. (With a head and a
-- tail that are any numbers the protocol is lowered as well, but the search for a proof did
-- not end.)
--
-- D. J. Sorin, M. D. Hill and D. A. Wood, 'A primer on memory consistency and
-- cache coherence', Morgan & Claypool 2011, chapter 8.

const
  NODE_NUM : 2;
  VALUE_NUM : 2;

type
  NODE : scalarset (NODE_NUM);
  VALUE : scalarset (VALUE_NUM);
  CACHE_STATE : enum { I, IS, IM, S, SM, M, MI, II };
  DIR_STATE : enum { D_I, D_S, D_M, D_INV, D_FWDS, D_FWDM };
  REQUEST_KIND : enum { NoRequest, GetS, GetM, PutM };
  ANSWER_KIND : enum { NoAnswer, InvAck, Data };
  RESPONSE_KIND : enum { Nothing, DataS, DataM, Inv, FwdGetS, FwdGetM, PutAck };
  RESPONSE : record kind : RESPONSE_KIND; val : VALUE; end;
  CHANNEL : record first : RESPONSE; second : RESPONSE; end;
  CACHE : record
    state : CACHE_STATE; val : VALUE;
    request : REQUEST_KIND; requestVal : VALUE;
    answer : ANSWER_KIND; answerVal : VALUE;
  end;

var
  cache : array [NODE] of CACHE;
  dir : DIR_STATE;
  owner : NODE;
  cur : NODE;
  sharer : array [NODE] of boolean;
  pending : array [NODE] of boolean;
  mem : VALUE;
  last : VALUE;
  channel : array [NODE] of CHANNEL;

-- The directory sends a message to a cache.
procedure Tell(kind : RESPONSE_KIND; n : NODE; v : VALUE);
begin
  if channel[n].first.kind = Nothing then
    channel[n].first.kind := kind; channel[n].first.val := v;
  else
    assert channel[n].second.kind = Nothing "room";
    channel[n].second.kind := kind; channel[n].second.val := v;
  end;
end;

-- A cache has read the first message.
procedure Shift(n : NODE);
begin
  channel[n].first := channel[n].second;
  channel[n].second.kind := Nothing;
end;

ruleset v : VALUE do
  startstate "Init"
    for n : NODE do
      cache[n].state := I; cache[n].val := v;
      cache[n].request := NoRequest; cache[n].requestVal := v;
      cache[n].answer := NoAnswer; cache[n].answerVal := v;
      sharer[n] := false; pending[n] := false;
      channel[n].first.kind := Nothing; channel[n].first.val := v;
      channel[n].second.kind := Nothing; channel[n].second.val := v;
    end;
    dir := D_I;
    undefine owner; undefine cur;
    mem := v; last := v;
  end;
end;

ruleset n : NODE do
  alias c : cache[n] do
    rule "Load" c.state = I & c.request = NoRequest ==>
      c.request := GetS; c.state := IS;
    end;
    rule "Store" c.state = I & c.request = NoRequest ==>
      c.request := GetM; c.state := IM;
    end;
    rule "Upgrade" c.state = S & c.request = NoRequest ==>
      c.request := GetM; c.state := SM;
    end;
    rule "EvictClean" c.state = S ==>
      c.state := I;
    end;
    rule "EvictDirty" c.state = M & c.request = NoRequest ==>
      c.request := PutM; c.requestVal := c.val; c.state := MI;
    end;
    ruleset v : VALUE do
      rule "Write" c.state = M ==>
        c.val := v; last := v;
      end;
    end;
  end;
end;

ruleset n : NODE do
  alias c : cache[n]; m : channel[n].first do
    rule "DataS" m.kind = DataS & c.state = IS ==>
      c.state := S; c.val := m.val;
      Shift(n);
    end;
    rule "DataM" m.kind = DataM & (c.state = IM | c.state = SM) ==>
      c.state := M; c.val := m.val;
      Shift(n);
    end;
    rule "Inv" m.kind = Inv & c.answer = NoAnswer ==>
      c.answer := InvAck;
      if c.state = S then c.state := I; elsif c.state = SM then c.state := IM; end;
      Shift(n);
    end;
    rule "FwdGetS" m.kind = FwdGetS & (c.state = M | c.state = MI) & c.answer = NoAnswer ==>
      c.answer := Data; c.answerVal := c.val;
      if c.state = M then c.state := S; else c.state := II; end;
      Shift(n);
    end;
    rule "FwdGetM" m.kind = FwdGetM & (c.state = M | c.state = MI) & c.answer = NoAnswer ==>
      c.answer := Data; c.answerVal := c.val;
      if c.state = M then c.state := I; else c.state := II; end;
      Shift(n);
    end;
    rule "PutAck" m.kind = PutAck & (c.state = MI | c.state = II) ==>
      c.state := I;
      Shift(n);
    end;
  end;
end;

ruleset n : NODE do
  alias c : cache[n] do
    rule "DirGetS" c.request = GetS & (dir = D_I | dir = D_S) ==>
      sharer[n] := true; dir := D_S;
      Tell(DataS, n, mem);
      c.request := NoRequest;
    end;
    rule "DirGetSOwned" c.request = GetS & dir = D_M ==>
      cur := n; dir := D_FWDS;
      Tell(FwdGetS, owner, mem);
      c.request := NoRequest;
    end;
    rule "DirGetM" c.request = GetM & dir = D_I ==>
      owner := n; dir := D_M;
      Tell(DataM, n, mem);
      c.request := NoRequest;
    end;
    rule "DirGetMShared" c.request = GetM & dir = D_S ==>
      cur := n; dir := D_INV;
      sharer[n] := false;
      c.request := NoRequest;
    end;
    rule "DirGetMOwned" c.request = GetM & dir = D_M ==>
      cur := n; dir := D_FWDM;
      Tell(FwdGetM, owner, mem);
      c.request := NoRequest;
    end;
    rule "DirPutM" c.request = PutM & (dir = D_I | dir = D_S | dir = D_M) ==>
      if dir = D_M & owner = n then
        mem := c.requestVal; dir := D_I; undefine owner;
      end;
      Tell(PutAck, n, mem);
      c.request := NoRequest;
    end;
    rule "DirInvAck" c.answer = InvAck & dir = D_INV ==>
      pending[n] := false;
      c.answer := NoAnswer;
    end;
    rule "DirDataS" c.answer = Data & dir = D_FWDS ==>
      mem := c.answerVal; dir := D_S;
      sharer[owner] := true; sharer[cur] := true;
      Tell(DataS, cur, c.answerVal);
      undefine owner;
      c.answer := NoAnswer;
    end;
    rule "DirDataM" c.answer = Data & dir = D_FWDM ==>
      mem := c.answerVal; dir := D_M;
      owner := cur;
      Tell(DataM, cur, c.answerVal);
      c.answer := NoAnswer;
    end;
    -- The directory invalidates one copy after the other.
    rule "DirInvalidate" dir = D_INV & sharer[n] ==>
      sharer[n] := false; pending[n] := true;
      Tell(Inv, n, mem);
    end;
  end;
end;

rule "DirAllAcked" dir = D_INV & forall j : NODE do !sharer[j] & !pending[j] end ==>
  owner := cur; dir := D_M;
  Tell(DataM, cur, mem);
end;

invariant "SingleWriter"
  forall i : NODE do forall j : NODE do
    i != j & cache[i].state = M -> cache[j].state != M & cache[j].state != S & cache[j].state != SM
  end end;
invariant "LastValue"
  forall i : NODE do
    cache[i].state = S | cache[i].state = SM | cache[i].state = M -> cache[i].val = last
  end;

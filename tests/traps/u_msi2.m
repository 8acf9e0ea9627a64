-- A race, in which a cache gets a value that nothing wrote: violated at once, after 7 steps (the search alone: no answer in 120 s).
const
  ProcCount: 3;
  ValueCount: 2;

type
  Proc: scalarset(ProcCount);
  Value: scalarset(ValueCount);
  Count: 0..ProcCount;

  ReqType: enum { NoReq, GetS, GetM, PutM };
  RspType: enum { NoRsp, DataS, DataM, Inv, FwdGet, PutAck };
  AckType: enum { NoAck, InvAck, WBack };

  ProcState: record
    state: enum { P_I, P_S, P_M, P_WaitS, P_WaitM, P_WaitPut };
    val: Value;
  end;

  DirState: enum { D_I, D_S, D_M, D_BusyInv, D_BusyFwd };

var
  dir: DirState;
  owner: Proc;
  sharers: array [Proc] of boolean;
  acks: Count;
  cur: Proc;
  curtype: ReqType;
  mem: Value;
  last: Value;
  procs: array [Proc] of ProcState;
  req: array [Proc] of ReqType;
  reqval: array [Proc] of Value;
  rsp: array [Proc] of RspType;
  rspval: array [Proc] of Value;
  ack: array [Proc] of AckType;
  ackval: array [Proc] of Value;

procedure Grant(p: Proc; t: RspType);
begin
  rsp[p] := t;
  rspval[p] := mem;
end;

procedure InvSharers(except: Proc);
begin
  acks := 0;
  for n: Proc do
    if sharers[n] & n != except then
      rsp[n] := Inv;
      acks := acks + 1;
    endif;
    sharers[n] := false;
  endfor;
end;

startstate "Init"
  dir := D_I;
  undefine owner; undefine cur;
  acks := 0;
  curtype := NoReq;
  for p: Proc do
    procs[p].state := P_I; undefine procs[p].val;
    sharers[p] := false;
    req[p] := NoReq; rsp[p] := NoRsp; ack[p] := NoAck;
    undefine reqval[p]; undefine rspval[p]; undefine ackval[p];
  endfor;
  for v: Value do mem := v; last := v; endfor;
endstartstate;

ruleset p: Proc do
  rule "read miss"
    procs[p].state = P_I & req[p] = NoReq ==>
    req[p] := GetS; procs[p].state := P_WaitS;
  endrule;
  rule "write miss"
    (procs[p].state = P_I | procs[p].state = P_S) & req[p] = NoReq ==>
    req[p] := GetM; procs[p].state := P_WaitM;
  endrule;
  rule "evict"
    procs[p].state = P_M & req[p] = NoReq ==>
    req[p] := PutM; reqval[p] := procs[p].val; procs[p].state := P_WaitPut; undefine procs[p].val;
  endrule;
  ruleset v: Value do
    rule "store" procs[p].state = P_M ==> procs[p].val := v; last := v; endrule;
  endruleset;
  rule "home receives request"
    req[p] != NoReq & dir != D_BusyInv & dir != D_BusyFwd ==>
  begin
    cur := p; curtype := req[p];
    switch req[p]
    case GetS:
      if dir = D_M then
        rsp[owner] := FwdGet; dir := D_BusyFwd;
      else
        sharers[p] := true; dir := D_S; Grant(p, DataS);
      endif;
    case GetM:
      if dir = D_M then
        rsp[owner] := FwdGet; dir := D_BusyFwd;
      elsif dir = D_S then
        InvSharers(p);
        if acks = 0 then
          dir := D_M; owner := p; Grant(p, DataM);
        else
          dir := D_BusyInv;
        endif;
      else
        dir := D_M; owner := p; Grant(p, DataM);
      endif;
    case PutM:
      if dir = D_M & owner = p then
        mem := reqval[p]; dir := D_I; undefine owner;
      endif;
      rsp[p] := PutAck;
    endswitch;
    req[p] := NoReq; undefine reqval[p];
  endrule;
  rule "proc receives"
    rsp[p] != NoRsp ==>
  begin
    switch rsp[p]
    case DataS: procs[p].state := P_S; procs[p].val := rspval[p];
    case DataM: procs[p].state := P_M; procs[p].val := rspval[p];
    case Inv:
      if procs[p].state = P_S then procs[p].state := P_I; undefine procs[p].val; endif;
      ack[p] := InvAck;
    case FwdGet:
      ack[p] := WBack; ackval[p] := procs[p].val;
      procs[p].state := P_I; undefine procs[p].val;
    case PutAck: procs[p].state := P_I;
    endswitch;
    rsp[p] := NoRsp; undefine rspval[p];
  endrule;
  rule "home receives ack"
    ack[p] != NoAck ==>
  begin
    if ack[p] = InvAck then
      acks := acks - 1;
      if acks = 0 then
        dir := D_M; owner := cur; Grant(cur, DataM);
      endif;
    else
      mem := ackval[p];
      if curtype = GetS then
        dir := D_S; sharers[cur] := true; undefine owner; Grant(cur, DataS);
      else
        dir := D_M; owner := cur; Grant(cur, DataM);
      endif;
    endif;
    ack[p] := NoAck; undefine ackval[p];
  endrule;
endruleset;

invariant "one writer"
  forall a: Proc do forall b: Proc do
    procs[a].state = P_M & a != b -> procs[b].state != P_M & procs[b].state != P_S
  endforall endforall;

invariant "data"
  forall a: Proc do
    procs[a].state = P_S | procs[a].state = P_M -> procs[a].val = last
  endforall;
